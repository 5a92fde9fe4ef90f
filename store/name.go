package store

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// FoldName returns the form in which names compare: trimmed, canonically
// equivalent forms made one (the result is in NFC), and case folded in full, so
// that "STRASSE" and " straße " are the same name.
func FoldName(name string) string {
	name = strings.TrimSpace(name)
	if isASCII(name) {
		return strings.ToLower(name)
	}
	return norm.NFC.String(cases.Fold().String(norm.NFD.String(name)))
}

// isASCII reports whether a name has no character beyond ASCII.
func isASCII(name string) bool {
	for i := range len(name) {
		if name[i] >= 0x80 {
			return false
		}
	}
	return true
}
