package analysis

import "strings"

// maxParts is the number of parts up to which a compound is joined. Hashes and
// UUIDs, in which letters and digits alternate, have up to about forty; a longer
// chain is a path or a typing accident, not a name.
const maxParts = 48

// maxHyphened is the number of words with hyphens up to which they may also be
// written in one: "uptodate", but not "stateoftheart".
const maxHyphened = 3

// prefixWords are first parts after which the hyphen is often left out. A query
// for such a compound also asks for the word in one: "e-mail" finds "email". For
// other compounds only the text offers it ("multisite" finds "multi-site"):
// asking for it everywhere loses .005 of nDCG@10 on scifact train and .002 on
// obliqa dev, and asking for it after "non" .001 on the latter.
var prefixWords = set(`anti auto bi bio co counter cross cyber de e eco extra hyper in inter intra macro meta micro mid mini multi
	off on out over photo post pre pro proto pseudo re semi sub super tele trans tri ultra un under up vice web`)

// compounds adds what lies over several parts: the whole chunk, and inside a
// longer one each piece between joints that mixes letters and digits, and each
// word with the number behind it (the ISO-27001 of ISO-27001-2022).
func (c *chunk) compounds(position int) {
	n := len(c.parts)
	if n > maxParts || c.counted() {
		return
	}
	for i := 0; n > 2 && i < n; {
		end := i + 1
		for end < n && c.parts[end].joint == 0 {
			end++
		}
		switch {
		case end-i > 1 && end-i < n:
			c.compound(i, end, position)
		case end-i == 1 && end < n && c.parts[i].kind == Word && c.parts[end].kind != Word && (end+1 == n || c.parts[end+1].joint != 0):
			c.compound(i, end+1, position)
		}
		i = end
	}
	for end := 2; end < n && c.parts[end].joint == '('; end++ {
		if c.parts[end-1].joint == '(' {
			c.compound(0, end, position) // the 10.3(a) of 10.3(a)(ii)
		}
	}
	if n > 1 || c.dotted() {
		c.compound(0, n, position)
	}
}

// counted reports whether the chunk is a number with what it counts: "30-day",
// "5kg", "2-factor", "USD500". That is two words, no code.
func (c *chunk) counted() bool {
	if len(c.parts) != 2 {
		return false
	}
	word := c.parts[1]
	if c.parts[0].kind == Word && word.kind == Number {
		return isCurrency(units[c.parts[0].text].unit)
	}
	if c.parts[0].kind != Number || word.kind != Word {
		return false
	}
	written := c.surface[word.start:word.end]
	return units[word.text].unit != "" || word.joint == '-' && len(written) > 2 && isLowerLetters(written)
}

// dotted reports whether the chunk is a name with a stop before it, ".NET".
func (c *chunk) dotted() bool { return c.chars[0].r == '.' && c.parts[0].kind == Word }

// compound adds the token over the parts from i to end.
func (c *chunk) compound(i, end, position int) {
	text, name := c.join(i, end)
	letters := !strings.ContainsAny(text, "0123456789.&")
	if letters && (name == Word && end-i > maxHyphened || strings.ContainsAny(c.surface, "/'’")) {
		return // "state-of-the-art", "TCP/IP" and "l'homme" are never one word
	}
	start, stop := c.parts[i].start, c.parts[end-1].end
	if i == 0 {
		start = 0
	}
	if stop < len(c.surface) && c.surface[stop] == ')' {
		stop++
	}
	t := codeToken(text, start, stop)
	t.Extra = end-i == 1
	for _, atom := range c.tokens {
		if atom.Atom() && atom.Term != "" && atom.Position >= position+i && atom.Position < position+end {
			t.Extra = true
		}
	}
	if letters {
		// Letters only: the same term as the word written in one.
		t.Term, t.Exact, t.Kind = term(stemSpace, stem(text)), term(wordSpace, text), name
		t.Optional = t.Extra
		t.TextOnly = t.Extra && name == Word && (end-i != 2 || !prefixWords[c.parts[i].text])
	}
	if end-i < len(c.parts) {
		// A part of the code, which no near miss may pass for; but the year
		// of ISO27001:2022 is an edition of the same.
		t.Extra = true
		t.TextOnly = i > 0 || c.parts[end].joint != ':'
	}
	t.Position, t.Width = position+i, end-i
	c.tokens = append(c.tokens, t)
}

// join returns the parts from i to end joined, and whether they are a name
// (Code) or words with hyphens (Word). Joints fall away but between digits,
// where they tell 2.4.10 from 24.10, and the & of initials.
func (c *chunk) join(i, end int) (string, Kind) {
	var joined strings.Builder
	kind := Word
	if i == 0 && c.dotted() {
		joined.WriteByte('.')
		kind = Code
	}
	for k, p := range c.parts[i:end] {
		switch {
		case p.kind != Word:
			kind = Code
		case k > 0 && p.joint != '-' && p.joint != '\'':
			kind = Code
		}
		if k > 0 && (p.joint == '&' || p.joint != 0 && p.kind != Word && c.parts[i+k-1].kind != Word) {
			joined.WriteRune(p.joint)
		}
		joined.WriteString(p.code(c.surface))
	}
	return joined.String(), kind
}

// code returns what the part adds to a joined code: digits as they are written,
// so that W-02 is not W-2, and words without accents.
func (p *part) code(surface string) string {
	switch p.kind {
	case Word:
		return stripAccents(p.text)
	case Number:
		if written := surface[p.start:p.end]; digitsAt(written, 0) == len(written) {
			return written
		}
	}
	return p.text
}
