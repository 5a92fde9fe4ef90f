package analysis

import (
	"slices"
	"strings"
)

// maxCompared is the number of characters by which names are compared: more
// would only cost time.
const maxCompared = 64

// Nearest returns all names, the most similar to wrong first: by the number of
// characters to insert, delete, change or swap with their neighbour, after case
// folding. A name that has wrong as whole words, or is such words of it, counts
// as two changes away at most. Equally near names stand in the order of their
// bytes. The names given are not changed.
func Nearest(wrong string, names []string) []string {
	type scored struct {
		name     string
		distance int
	}
	target := Fold(wrong)
	list := make([]scored, len(names))
	for i, name := range names {
		folded := Fold(name)
		d := editDistance(cut(target), cut(folded))
		if d > 2 && (holdsWords(folded, target) || holdsWords(target, folded)) {
			d = 2
		}
		list[i] = scored{name, d}
	}
	slices.SortFunc(list, func(a, b scored) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	ordered := make([]string, len(list))
	for i, s := range list {
		ordered[i] = s.name
	}
	return ordered
}

// cut returns the first characters of a name.
func cut(name string) []rune {
	runes := []rune(name)
	return runes[:min(len(runes), maxCompared)]
}

// holdsWords reports whether words stand in name as whole words.
func holdsWords(name, words string) bool {
	if words == "" {
		return false
	}
	for from := 0; ; {
		i := strings.Index(name[from:], words)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(words)
		if (start == 0 || !wordAt(name, prevRune(name, start))) && !wordAt(name, end) {
			return true
		}
		from = start + 1
	}
}

// editDistance returns the optimal string alignment distance: the fewest
// insertions, deletions, changes and swaps of neighbours that turn a into b,
// none of them edited twice.
func editDistance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		row[0] = i + 1
		for j := range b {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
