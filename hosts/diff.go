package hosts

import "strings"

// around is how many unchanged lines a change is shown with.
const around = 2

// Diff shows what changes between two texts: the lines from the first to the last
// that differ, those taken away marked with "-", those added with "+", and a few
// around them. It is empty when nothing changes.
func Diff(before, after []byte) string {
	if string(before) == string(after) {
		return ""
	}
	old, new := lines(before), lines(after)
	first := 0
	for first < len(old) && first < len(new) && old[first] == new[first] {
		first++
	}
	oldEnd, newEnd := len(old), len(new)
	for oldEnd > first && newEnd > first && old[oldEnd-1] == new[newEnd-1] {
		oldEnd, newEnd = oldEnd-1, newEnd-1
	}
	var b strings.Builder
	show := func(mark string, some []string) {
		for _, line := range some {
			b.WriteString(mark + strings.TrimSuffix(line, "\r") + "\n")
		}
	}
	show("  ", old[max(first-around, 0):first])
	show("- ", old[first:oldEnd])
	show("+ ", new[first:newEnd])
	show("  ", old[oldEnd:min(oldEnd+around, len(old))])
	return b.String()
}

func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
}
