package conflict

// countCues counts the small words by which near copies of one text differ.
func (r *reading) countCues(f *frames) {
	for i := range r.tokens {
		if r.marks[i]&tokenQuantity != 0 {
			continue
		}
		switch r.word(i) {
		case "not", "no", "never", "cannot", "nobody", "none", "nor", "neither", "without", "forbidden", "prohibited", "mustn't", "don't", "doesn't", "can't", "won't", "isn't", "aren't", "refuse", "refused", "nothing":
			f.Negations++
		case "must", "shall", "will", "required", "requires", "has":
			f.Demands++
		case "may", "can", "should", "might", "could", "optional", "permitted", "allowed", "entitled":
			f.Permissions++
		case "if", "unless", "except", "only", "provided", "when", "whenever":
			f.Conditions++
		}
	}
}

// copyOf returns how far two rules are the same text but for a few words: 0 below
// two thirds of shared words, 1 for the same words.
func copyOf(a, b *Analysis) float64 {
	if len(a.words) == 0 || len(b.words) == 0 {
		return 0
	}
	n := 0
	for i, k := 0, 0; i < len(a.words) && k < len(b.words); {
		switch {
		case a.words[i] == b.words[k]:
			n++
			i++
			k++
		case a.words[i] < b.words[k]:
			i++
		default:
			k++
		}
	}
	share := (float64(n)/float64(len(a.words)) + float64(n)/float64(len(b.words))) / 2
	return max(0, 3*share-2)
}
