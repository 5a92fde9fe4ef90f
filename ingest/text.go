package ingest

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// byteOrderMark may stand at the start of a UTF-8 file and is no part of it.
var byteOrderMark = []byte{0xEF, 0xBB, 0xBF}

// decodeText returns the text of a file without byte-order mark and with every
// line ended by a line feed, so that line n of the text is line n of the file.
// Carriage returns alone end lines only in a file that has no line feed at all.
// It refuses what is not UTF-8 and names the line and the byte.
func decodeText(file string, data []byte) (string, error) {
	if bytes.HasPrefix(data, []byte{0xFF, 0xFE}) || bytes.HasPrefix(data, []byte{0xFE, 0xFF}) {
		return "", &InputError{File: file, Line: 1, Err: ErrNotUTF8,
			Reason: "the file is UTF-16, not UTF-8; save it as UTF-8"}
	}
	data = bytes.TrimPrefix(data, byteOrderMark)
	if !utf8.Valid(data) {
		at := invalidAt(data)
		return "", &InputError{File: file, Line: 1 + bytes.Count(data[:at], []byte{'\n'}), Err: ErrNotUTF8,
			Reason: fmt.Sprintf("byte %d (0x%02X) is not UTF-8; save the file as UTF-8", at+1, data[at])}
	}
	if at := bytes.IndexByte(data, 0); at >= 0 {
		return "", &InputError{File: file, Line: 1 + bytes.Count(data[:at], []byte{'\n'}), Err: ErrNotUTF8,
			Reason: fmt.Sprintf("byte %d is zero, so this is no text file", at+1)}
	}
	text := string(data)
	if strings.IndexByte(text, '\r') < 0 {
		return text, nil
	}
	if strings.IndexByte(text, '\n') < 0 {
		return strings.ReplaceAll(text, "\r", "\n"), nil
	}
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", " "), nil
}

// invalidAt returns the offset of the first byte that is not UTF-8.
func invalidAt(data []byte) int {
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return at
}

// clean brings a name or a short text to the form that is stored: Unicode NFC,
// outer space trimmed.
func clean(s string) string { return strings.TrimSpace(norm.NFC.String(s)) }

// fold brings a name to the form that is compared: clean and in lower case.
func fold(s string) string { return strings.ToLower(clean(s)) }

// quoteList writes names as a sentence does: `"a", "b" and "c"`.
func quoteList(names []string) string {
	var b strings.Builder
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			b.WriteString(" and ")
		default:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", n)
	}
	return b.String()
}

// orElse returns value, or other when value is empty.
func orElse(value, other string) string {
	if value != "" {
		return value
	}
	return other
}
