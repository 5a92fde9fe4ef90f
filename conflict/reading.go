package conflict

// tokenMark says what a token has been taken for.
type tokenMark uint8

const (
	tokenQuantity tokenMark = 1 << iota
	tokenFrequency
	tokenAnchor
	tokenName // the number of "line 4"
)

// reading is a text while it is analysed.
type reading struct {
	text        string
	tokens      []token
	marks       []tokenMark
	lex         *lexicon
	quantities  []quantity
	frequencies []frequency
}

func newReading(text string) *reading {
	lex := loaded()
	if len(text) > MaxText {
		text = text[:MaxText]
	}
	r := &reading{text: text, lex: lex, tokens: tokenize(text, lex)}
	r.uncleft()
	r.marks = make([]tokenMark, len(r.tokens))
	r.joinNoOne()
	r.assign()
	return r
}

// joinNoOne makes "no one" the word that it is.
func (r *reading) joinNoOne() {
	for i := 0; i+1 < len(r.tokens); i++ {
		if r.word(i) == "no" && r.word(i+1) == "one" {
			t := &r.tokens[i]
			t.word, t.stem, t.text = "nobody", "nobodi", r.slice(i, i+2)
			r.silence(i + 1)
		}
	}
}

// silence takes a token out of the text.
func (r *reading) silence(i int) {
	t := &r.tokens[i]
	t.word, t.stem, t.means, t.act, t.form = "", "", 0, 0, 0
}

func (r *reading) mark(from, to int, m tokenMark) {
	for i := max(from, 0); i < min(to, len(r.tokens)); i++ {
		r.marks[i] |= m
	}
}

// assign says of every word what it stands for.
func (r *reading) assign() {
	t := r.tokens
	for i := 0; i < len(t); i++ {
		w := &t[i]
		if w.kind == kindNumber {
			if n, ok := r.numberAt(i); ok && r.isName(n) && i > 0 {
				w.means = wordConcept("#" + w.word)
				r.marks[i] |= tokenName
			}
			continue
		}
		if w.kind != kindWord {
			continue
		}
		if thing, act, n := r.phraseAt(i); n > 0 {
			w.means, w.act = thing|act, act
			for j := i + 1; j <= i+n; j++ {
				t[j].inside = true
			}
			i += n
			continue
		}
		if functionWords[w.word] && !w.capitals {
			w.act = r.lex.acts[w.stem]
			if w.form == 0 {
				w.act = 0
			}
			continue
		}
		w.means, w.act = r.lex.conceptOfStem(w.stem), r.lex.acts[w.stem]
		if r.hyphenated(i) || i > 1 && r.hyphenated(i-2) {
			w.form = 0 // "check-in" is no verb
		}
	}
}

// phraseAt finds the longest entry of several words that starts at token i, and
// returns how many tokens follow the first.
func (r *reading) phraseAt(i int) (thing, act concept, n int) {
	for _, p := range r.lex.phrases[r.tokens[i].stem] {
		if len(p.rest) <= n {
			continue
		}
		j := i + 1
		matched := 0
		for matched < len(p.rest) && j < len(r.tokens) {
			if r.tokens[j].word == "-" {
				j++
				continue
			}
			if r.tokens[j].stem != p.rest[matched] || r.tokens[j].kind != kindWord {
				break
			}
			matched++
			j++
		}
		if matched == len(p.rest) {
			thing, act, n = p.thing, p.act, j-1-i
		}
	}
	return thing, act, n
}

// word returns the lower-case word of token i, or nothing outside the text.
func (r *reading) word(i int) string {
	if i < 0 || i >= len(r.tokens) {
		return ""
	}
	return r.tokens[i].word
}

// phrase is slice with a small first letter where the capital only opens a sentence.
func (r *reading) phrase(i, j int) string {
	s := r.slice(i, j)
	if i < len(r.tokens) && s != "" && (i == 0 || r.tokens[i-1].kind == kindMark && r.word(i-1) != "," && r.word(i-1) != "(" && r.word(i-1) != "-") {
		return lowerFirst(s)
	}
	return s
}

// slice returns the text from token i up to token j.
func (r *reading) slice(i, j int) string {
	if i < 0 || j > len(r.tokens) || i >= j {
		return ""
	}
	return r.text[r.tokens[i].start:r.tokens[j-1].end]
}
