package main

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// describe makes the long help of a command: what is to be known about it, then
// examples as they are typed, then the codes that it ends with. exits are given
// as "3 a name is unknown".
func describe(about string, examples []string, exits []string) string {
	var b strings.Builder
	if about != "" {
		b.WriteString(about + "\n\n")
	}
	b.WriteString("Examples:\n")
	for _, example := range examples {
		b.WriteString("   " + example + "\n")
	}
	b.WriteString("\nExit codes: " + strings.Join(exits, "; ") + ".")
	return b.String()
}

// plainExits are the exit codes of a command that needs no daemon.
func plainExits(own ...string) []string {
	return mergeExits(own, "0 good", "1 failed", "2 usage", "78 bad configuration")
}

// daemonExits are the exit codes of a command that talks to the daemon.
func daemonExits(own ...string) []string {
	return mergeExits(own, "0 good", "1 failed", "2 usage", "3 a name or id is unknown", "4 not allowed", "69 no daemon answers", "75 try again", "78 bad configuration")
}

// mergeExits puts what a command says of a code of its own in place of what is
// said in general.
func mergeExits(own []string, general ...string) []string {
	code := func(exit string) int {
		number, _, _ := strings.Cut(exit, " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			panic("an exit code of a help text is no number: " + exit)
		}
		return n
	}
	all := slices.Clone(own)
	for _, g := range general {
		if !slices.ContainsFunc(own, func(o string) bool { return code(o) == code(g) }) {
			all = append(all, g)
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return cmp.Compare(code(a), code(b)) })
	return all
}
