package index

import "waymark/analysis"

// Phrase is the set of rows, masked ones included, that hold words in a row
// within one field, as they are written but for case. The phrase is what
// the analyzer makes of it, compounds included.
//
// The index keeps no positions: they would double the words on disk, and phrases
// are rare. The rows that hold all words of the phrase that carry weight are
// analysed again from their stored text, at some 10 µs a row: a pair of words
// that 2,500 rows hold takes 25 ms, a phrase of stop words only reads all rows.
func (v *View) Phrase(phrase []analysis.Token) Bitmap {
	var exact []string
	candidates := v.LiveRows()
	for i := range phrase {
		t := &phrase[i]
		if !t.Atom() {
			continue
		}
		exact = append(exact, t.Exact)
		if t.Term != "" {
			candidates.And(v.RowsWith(t.Term))
		}
	}
	found := NewBitmap(v.Rows())
	if len(exact) == 0 {
		return found
	}
	var words []string
	var tokens []analysis.Token
	candidates.Each(func(row int) {
		for _, text := range v.fields(row) {
			words, tokens = words[:0], v.made.analyzer.Append(tokens[:0], text)
			for i := range tokens {
				if tokens[i].Atom() {
					words = append(words, tokens[i].Exact)
				}
			}
			if holdsRun(words, exact) {
				found.Set(row)
				return
			}
		}
	})
	return found
}

// holdsRun reports whether run stands somewhere in words.
func holdsRun(words, run []string) bool {
	for ; len(words) >= len(run); words = words[1:] {
		n := 0
		for n < len(run) && words[n] == run[n] {
			n++
		}
		if n == len(run) {
			return true
		}
	}
	return false
}
