package conflict

import "strings"

// point says what stands against what: both values in the words of their rules,
// and the matter in the words of the first.
func (p *pairing) point(kind int) string {
	e := &p.verdicts[kind]
	a, b := e.a, e.b
	if a == "" {
		a = p.forceWords(p.ca)
	}
	if b == "" {
		b = p.forceWords(p.cb)
	}
	s := tidy(a) + " against " + tidy(b)
	if m := p.matter(); m != "" {
		s += " for " + m
	}
	return s
}

// matter returns the theme both clauses share, the shorter of the two.
func (p *pairing) matter() string {
	a, b := p.ca.Theme, p.cb.Theme
	if a == "" || b != "" && len(b) < len(a) && p.heads {
		a = b
	}
	return tidy(a)
}

// tidy drops articles and marks from the ends of a phrase.
func tidy(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	for _, article := range []string{"the ", "The ", "a ", "A ", "an ", "An "} {
		if rest, ok := strings.CutPrefix(s, article); ok {
			s = rest
			break
		}
	}
	return strings.Trim(s, " ,.;:()")
}

// lowerFirst lowers the first letter of a phrase that is no name.
func lowerFirst(s string) string {
	if len(s) < 2 || s[0] < 'A' || s[0] > 'Z' || s[1] < 'a' || s[1] > 'z' {
		return s
	}
	return string(s[0]+'a'-'A') + s[1:]
}
