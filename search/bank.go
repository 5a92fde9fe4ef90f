package search

import (
	_ "embed"
	"strings"
)

//go:embed bank.txt
var bankText string

// Bank is the fixed list of everyday questions that no company rule answers; see
// Gate. Its vectors are made once, at start.
func Bank() []string { return strings.Split(strings.TrimSpace(bankText), "\n") }
