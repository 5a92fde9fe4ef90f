package main

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlagsFirst(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"ask question", "ask -- question"},
		{"ask question --limit 3", "ask --limit 3 -- question"},
		{"ask --limit=3 question more", "ask --limit=3 -- question more"},
		{"ask question --json --limit 3 more", "ask --json --limit 3 -- question more"},
		{"ask -w gov question", "ask -w gov -- question"},
		{"-w gov ask question", "ask -w gov -- question"},
		{"--socket /s --json ask question --limit 3", "ask --socket /s --json --limit 3 -- question"},
		{"-w=gov kb search question", "kb search -w=gov -- question"},
		{"ask question -- -rail --json", "ask -- question -rail --json"},
		{"ask -- -rail", "ask -- -rail"},
		{"ask - question", "ask -- - question"},
		{"ask --unknown question", "ask --unknown -- question"},
		{"rule edit ID --text -5", "rule edit --text -5 -- ID"},
		{"rule edit --text", "rule edit --text"},
		{"kb", "kb"},
		{"kb nosuch --json", "kb --json -- nosuch"},
		{"nosuch --json", "nosuch --json"},
		{"--nosuch ask", "--nosuch ask"},
		{"--help", "--help"},
		{"ask que --generate-bash-completion", "ask que --generate-bash-completion"},
		{"", ""},
	} {
		app := newApp(os.Stdin, os.Stdout, os.Stderr)
		got := flagsFirst(app, append([]string{"waymark"}, strings.Fields(c.given)...))
		if d := cmp.Diff(append([]string{"waymark"}, strings.Fields(c.want)...), got); d != "" {
			t.Errorf("flagsFirst(%q) (-want +got):\n%s", c.given, d)
		}
	}
}
