package conflict

import "slices"

// uncleft makes "it is the driver, not the clerk, who records …" into "the driver
// records …": the words between are taken out of the reading.
func (r *reading) uncleft() {
	drop := make([]bool, len(r.tokens))
	found := false
	for i := 0; i+2 < len(r.tokens); i++ {
		if r.word(i) != "it" || r.word(i+1) != "is" || !(determiners[r.word(i+2)] || r.tokens[i+2].capital) {
			continue
		}
		comma := 0
	scan:
		for j := i + 2; j < len(r.tokens) && j < i+16; j++ {
			switch w := r.word(j); {
			case w == ",":
				if comma == 0 {
					comma = j
				}
			case w == "who" || w == "that" || w == "which":
				if comma > 0 {
					for k := comma; k < j; k++ {
						drop[k] = true
					}
				}
				drop[i], drop[i+1], drop[j], found = true, true, true, true
				break scan
			case w == "." || w == ";" || isModal(w) || isBe(w):
				break scan
			}
		}
	}
	if !found {
		return
	}
	i := -1
	r.tokens = slices.DeleteFunc(r.tokens, func(token) bool { i++; return drop[i] })
}
