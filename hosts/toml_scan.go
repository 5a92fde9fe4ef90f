package hosts

import (
	"bytes"
	"strconv"
	"strings"
)

// tomlStatement is a header or a pair of a TOML file, without the comment behind
// it: its key, and where it stands.
type tomlStatement struct {
	header     bool
	key        []string
	start, end int
}

// tomlStatements finds the statements of a file that a parser has accepted. It
// knows just enough of the language to see where a value ends.
func tomlStatements(text []byte) []tomlStatement {
	var all []tomlStatement
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			at++
		case c == '#':
			at = endOfLine(text, at)
		default:
			s := tomlStatement{header: c == '[', start: at}
			s.end = endOfStatement(text, at)
			s.key = statementKey(text[s.start:s.end], s.header)
			all = append(all, s)
			at = s.end
		}
	}
	return all
}

// endOfStatement is where the statement that begins at an offset ends: at the end
// of its line, unless a string or a bracket is open there.
func endOfStatement(text []byte, at int) int {
	depth, end := 0, at
	for at < len(text) {
		switch c := text[at]; c {
		case '"', '\'':
			at = endOfString(text, at)
			end = at
			continue
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		case '#':
			if depth == 0 {
				return end
			}
			at = endOfLine(text, at)
			continue
		case '\n':
			if depth == 0 {
				return end
			}
		}
		if c := text[at]; c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			end = at + 1
		}
		at++
	}
	return end
}

// endOfString is the offset behind the string that begins at an offset.
func endOfString(text []byte, at int) int {
	quote := text[at : at+1]
	if triple := bytes.Repeat(quote, 3); bytes.HasPrefix(text[at:], triple) {
		at += 3
		for at < len(text) && !bytes.HasPrefix(text[at:], triple) {
			if quote[0] == '"' && text[at] == '\\' {
				at++
			}
			at++
		}
		// Up to two quotes may stand right before the closing ones.
		at = min(at+3, len(text))
		for at < len(text) && text[at] == quote[0] {
			at++
		}
		return at
	}
	for at++; at < len(text) && text[at] != quote[0] && text[at] != '\n'; at++ {
		if quote[0] == '"' && text[at] == '\\' {
			at++
		}
	}
	return min(at+1, len(text))
}

// statementKey reads the key of a statement, its parts unquoted.
func statementKey(statement []byte, header bool) []string {
	if header {
		statement = bytes.Trim(statement, "[]")
	}
	var key []string
	for at := 0; at < len(statement); {
		switch c := statement[at]; {
		case c == ' ' || c == '\t' || c == '.':
			at++
		case c == '=':
			return key
		case c == '"' || c == '\'':
			end := endOfString(statement, at)
			part := string(statement[at:end])
			if unquoted, err := strconv.Unquote(part); err == nil && c == '"' {
				part = unquoted
			}
			key = append(key, strings.Trim(part, `'`))
			at = end
		default:
			end := at
			for end < len(statement) && !bytes.ContainsRune([]byte(" \t.="), rune(statement[end])) {
				end++
			}
			key = append(key, string(statement[at:end]))
			at = end
		}
	}
	return key
}
