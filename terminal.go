package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// textWidth is how wide text for people is set; wider lines are hard to read.
const textWidth = 92

// terminal writes text for people: colours only on a terminal that wants them.
type terminal struct {
	w      io.Writer
	colour bool
	err    error // the first that writing met; nothing is written after it
}

// newTerminal looks at the file and at NO_COLOR (see no-color.org).
func newTerminal(f *os.File, getenv func(string) string) *terminal {
	return &terminal{w: f, colour: isTerminal(f) && getenv("NO_COLOR") == "" && getenv("TERM") != "dumb"}
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	return err == nil
}

func (t *terminal) printf(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintf(t.w, format, args...)
	}
}

func (t *terminal) paint(code, text string) string {
	if !t.colour || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (t *terminal) bold(text string) string   { return t.paint("1", text) }
func (t *terminal) dim(text string) string    { return t.paint("2", text) }
func (t *terminal) green(text string) string  { return t.paint("32", text) }
func (t *terminal) yellow(text string) string { return t.paint("33", text) }
func (t *terminal) cyan(text string) string   { return t.paint("36", text) }

// paragraph writes text wrapped to the width, every line behind the indent.
func (t *terminal) paragraph(indent, text string) {
	for _, line := range wrap(printable(text), textWidth-utf8.RuneCountInString(indent)) {
		t.printf("%s%s\n", indent, line)
	}
}

// aside is a paragraph in the background.
func (t *terminal) aside(indent, text string) {
	for _, line := range wrap(printable(text), textWidth-utf8.RuneCountInString(indent)) {
		t.printf("%s%s\n", indent, t.dim(line))
	}
}

// printable replaces control characters, so that stored text cannot drive the
// terminal.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case drivesTerminal(r):
			return '\uFFFD'
		}
		return r
	}, text)
}

// drivesTerminal tells whether a terminal may do something on a character other
// than show it: controls of both sets, line separators, and what turns the
// direction of text.
func drivesTerminal(r rune) bool {
	return r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// writeOut writes the bytes of an answer to a file as they are, and to a
// terminal so that they cannot drive it. Of JSON, whose own escapes say the same,
// nothing is lost on a terminal either.
func writeOut(w io.Writer, b []byte, isJSON bool) error {
	if f, isFile := w.(*os.File); isFile && isTerminal(f) {
		b = tamed(b, isJSON)
	}
	_, err := w.Write(b)
	return err
}

// tamed replaces what drives a terminal but for ends of lines and tabs.
func tamed(b []byte, isJSON bool) []byte {
	var out strings.Builder
	for _, r := range string(b) {
		switch {
		case r == '\n' || r == '\t' || !drivesTerminal(r):
			out.WriteRune(r)
		case isJSON:
			fmt.Fprintf(&out, "\\u%04x", r)
		default:
			out.WriteRune('\uFFFD')
		}
	}
	return []byte(out.String())
}

func wrap(text string, width int) []string {
	var lines []string
	line, length := "", 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		if length > 0 && length+1+n > width {
			lines = append(lines, line)
			line, length = "", 0
		}
		if length > 0 {
			line, length = line+" ", length+1
		}
		line, length = line+word, length+n
	}
	return append(lines, line)
}
