package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxMessage is the largest message that is read, in bytes: the limit of the
// JSON routes. A longer one is refused, and read over without being kept.
const maxMessage = 4 << 20

func tooLong() *jsonrpc.Error {
	return refuse(jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message has at most %d bytes", maxMessage))
}

// readLine reads the frames of the next line. Lines end with LF or CR LF, the
// last one also with the input. At the end of the input the error is io.EOF, and
// frames may still be there.
func readLine(r *bufio.Reader) ([]frame, error) {
	var line []byte
	var over *idScanner
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case over != nil:
			over.scan(part)
		case len(line)+len(part) > maxMessage:
			over = &idScanner{}
			over.scan(line)
			over.scan(part)
			line = nil
		default:
			line = append(line, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if over != nil {
			return []frame{{items: []item{{message: message{id: over.id}, err: tooLong()}}}}, err
		}
		return readFrames(line), err
	}
}

// readBody reads the frames of a whole body, with the limit of a line.
func readBody(r io.Reader) ([]frame, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxMessage+1))
	if err != nil {
		return nil, err
	}
	if len(body) <= maxMessage {
		return readFrames(body), nil
	}
	over := &idScanner{}
	over.scan(body)
	if _, err := io.Copy(over, io.LimitReader(r, maxDiscard)); err != nil {
		return nil, err
	}
	return []frame{{items: []item{{message: message{id: over.id}, err: tooLong()}}}}, nil
}

// maxDiscard is how much of a body beyond the limit is read to find its id. A
// client that sends still more sees the connection closed.
const maxDiscard = 64 << 20

// idScanner finds the id of a message that is too long to keep, so that the
// answer reaches the call that waits for it. Clients write the id at either end.
type idScanner struct {
	id json.RawMessage

	depth             int
	inString, escaped bool
	key, word         []byte // at the top level: the last name, and the value being read
}

// maxWord is how much of a value is kept; an id is shorter.
const maxWord = 256

// Write takes the next bytes of the message.
func (s *idScanner) Write(part []byte) (int, error) {
	s.scan(part)
	return len(part), nil
}

func (s *idScanner) scan(part []byte) {
	for i := 0; i < len(part); i++ {
		b := part[i]
		if s.inString {
			if s.depth != 1 && !s.escaped {
				// Nothing is kept of it, and it may be most of the message.
				next := bytes.IndexAny(part[i:], `"\`)
				if next < 0 {
					return
				}
				i += next
				b = part[i]
			}
			s.keep(b)
			switch {
			case s.escaped:
				s.escaped = false
			case b == '\\':
				s.escaped = true
			case b == '"':
				s.inString = false
			}
			continue
		}
		switch b {
		case ' ', '\t', '\r', '\n':
		case '"':
			s.inString = true
			s.keep(b)
		case '{', '[':
			s.keep(b)
			s.depth++
		case '}', ']':
			if s.depth == 1 {
				s.endValue()
			}
			s.depth--
		case ':':
			if s.depth == 1 {
				s.key, s.word = s.word, nil
			}
		case ',':
			if s.depth == 1 {
				s.endValue()
			}
		default:
			s.keep(b)
		}
	}
}

func (s *idScanner) keep(b byte) {
	if s.depth == 1 && len(s.word) <= maxWord {
		s.word = append(s.word, b)
	}
}

func (s *idScanner) endValue() {
	if bytes.Equal(s.key, []byte(`"id"`)) && len(s.word) > 0 && len(s.word) <= maxWord && isID(s.word) && json.Valid(s.word) {
		s.id = bytes.Clone(s.word)
	}
	s.key, s.word = nil, nil
}
