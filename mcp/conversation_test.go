package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A conversation is a text file. Its lines are
//
//	# a comment
//	agent NAME        who calls; without it an operator
//	> MESSAGE         what the client sends: a line, or the body of a POST
//	>q "MESSAGE"      the same, quoted as in Go, with no end of line added
//	>end              the client's input ends, while answers may be due
//	< ANSWER          what must come back, in any order, before the next >
//	<stdio ANSWER     the same, only over stdio
//	<http 400 ANSWER  the same, only over HTTP, with the status
//
// {{fill N}} in what is sent stands for N letters. In an answer "*" stands for any
// value, and "…" among the members of an object for any further ones.
type conversation struct {
	agent     string
	exchanges []exchange
}

type exchange struct {
	line        int
	sent        []byte
	end         bool
	both, stdio []string
	http        []string
	httpStatus  int
}

func readConversation(t *testing.T, path string) conversation {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c conversation
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		kind, rest, _ := strings.Cut(line, " ")
		if strings.HasPrefix(kind, ">") {
			c.exchanges = append(c.exchanges, exchange{line: n + 1})
		}
		var last *exchange
		if len(c.exchanges) > 0 {
			last = &c.exchanges[len(c.exchanges)-1]
		}
		switch kind {
		case "agent":
			c.agent = rest
		case ">":
			last.sent = append(fill(rest), '\n')
		case ">q":
			unquoted, err := strconv.Unquote(rest)
			if err != nil {
				t.Fatalf("%s:%d: %v", path, n+1, err)
			}
			last.sent = fill(unquoted)
		case ">end":
			last.end = true
		case "<":
			last.both = append(last.both, rest)
		case "<stdio":
			last.stdio = append(last.stdio, rest)
		case "<http":
			status, answer, _ := strings.Cut(rest, " ")
			if last.httpStatus, err = strconv.Atoi(status); err != nil {
				t.Fatalf("%s:%d: %v", path, n+1, err)
			}
			if answer != "" {
				last.http = append(last.http, answer)
			}
		default:
			t.Fatalf("%s:%d: what is %q?", path, n+1, kind)
		}
	}
	return c
}

var filler = regexp.MustCompile(`\{\{fill (\d+)\}\}`)

func fill(text string) []byte {
	return []byte(filler.ReplaceAllStringFunc(text, func(m string) string {
		n, _ := strconv.Atoi(filler.FindStringSubmatch(m)[1])
		return strings.Repeat("a", n)
	}))
}

func TestConversations(t *testing.T) {
	f := startFixture(t)
	f.agent("reviewer", "kb_search", "kb_get", "get_brain_context")
	f.agent("nobody")
	paths, err := filepath.Glob("testdata/conversations/*.txt")
	if err != nil || len(paths) < 10 {
		t.Fatalf("only %d conversations (%v)", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".txt")
		t.Run(name+"/stdio", func(t *testing.T) { holdOverStdio(t, f, readConversation(t, path)) })
		t.Run(name+"/http", func(t *testing.T) { holdOverHTTP(t, f, readConversation(t, path)) })
	}
}

func holdOverStdio(t *testing.T, f *fixture, c conversation) {
	host := startHost(t, f.bridge(c.agent))
	for _, e := range c.exchanges {
		want := append(slices.Clone(e.both), e.stdio...)
		if e.end {
			host.closeInput()
		} else {
			host.send(e.sent)
		}
		var got []string
		for range want {
			line, ok := host.receive()
			if !ok {
				break
			}
			got = append(got, line)
		}
		compare(t, e.line, got, want)
	}
	host.closeInput()
	for {
		line, more := host.receive()
		if !more {
			break
		}
		t.Errorf("nobody asked for %s", line)
	}
	if err := <-host.ended; err != nil {
		t.Errorf("the bridge ended with %v", err)
	}
}

// host is the other side of a bridge.
type host struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string
	ended chan error
}

func startHost(t testing.TB, b *Bridge) *host {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	h := &host{t: t, in: inWrite, lines: make(chan string, 1000), ended: make(chan error, 1)}
	go func() {
		err := b.Run(t.Context(), inRead, outWrite)
		_ = inRead.CloseWithError(io.ErrClosedPipe)
		_ = outWrite.Close()
		h.ended <- err
	}()
	go func() {
		r := bufio.NewReader(outRead)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				close(h.lines)
				return
			}
			h.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	return h
}

func (h *host) send(m []byte) {
	if _, err := h.in.Write(m); err != nil {
		h.t.Errorf("the bridge takes no input: %v", err)
	}
}

func (h *host) closeInput() { _ = h.in.Close() }

func (h *host) receive() (string, bool) {
	select {
	case line, more := <-h.lines:
		return line, more
	case <-time.After(10 * time.Second):
		h.t.Errorf("the bridge is mute")
		return "", false
	}
}

func holdOverHTTP(t *testing.T, f *fixture, c conversation) {
	client := &http.Client{Transport: f.transport()}
	revision := ""
	for _, e := range c.exchanges {
		if e.end {
			continue
		}
		request, err := http.NewRequest(http.MethodPost, "http://waymark/mcp", bytes.NewReader(e.sent))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = header(c.agent)
		setClientHeaders(request.Header, e.sent, revision)
		response, err := client.Do(request)
		if err != nil {
			t.Fatalf("line %d: %v", e.line, err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		want := append(slices.Clone(e.both), e.http...)
		var got []string
		if len(body) > 0 {
			got = append(got, string(body))
		}
		compare(t, e.line, got, want)
		wantStatus := e.httpStatus
		if wantStatus == 0 && len(want) == 0 {
			wantStatus = http.StatusAccepted
		}
		if wantStatus != 0 && response.StatusCode != wantStatus {
			t.Errorf("line %d: status = %d, want %d", e.line, response.StatusCode, wantStatus)
		}
		var shaken struct {
			Result struct {
				Revision string `json:"protocolVersion"`
			} `json:"result"`
		}
		if json.Unmarshal(body, &shaken) == nil && shaken.Result.Revision != "" {
			revision = shaken.Result.Revision
		}
	}
}

// setClientHeaders does what a client does that reads its own message.
func setClientHeaders(h http.Header, sent []byte, revision string) {
	var frames []frame
	if len(sent) <= maxMessage {
		frames = readFrames(sent)
	}
	if len(frames) == 1 && !frames[0].batch && frames[0].items[0].err == nil {
		m := frames[0].items[0].message
		if named := m.namedRevision(); named != "" {
			revision = named
		}
		if m.method == "initialize" {
			revision = ""
		}
		setHeaders(h, m, revision)
		return
	}
	setHeaders(h, message{}, revision)
}

// compare pairs what came with what was expected, in any order.
func compare(t *testing.T, line int, got, want []string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("line %d: got %d answers, want %d:\n got %s\nwant %s", line, len(got), len(want), strings.Join(got, "\n     "), strings.Join(want, "\n     "))
		return
	}
	rest := slices.Clone(want)
	for _, g := range got {
		at := slices.IndexFunc(rest, func(w string) bool { return difference(g, w) == "" })
		if at < 0 {
			t.Errorf("line %d: got  %s\nwant %s\n%s", line, g, strings.Join(rest, "\n  or "), difference(g, rest[0]))
			return
		}
		rest = slices.Delete(rest, at, at+1)
	}
}

// difference says where an answer is other than expected; nothing when it is as
// expected.
func difference(got, want string) string {
	w, err := decode(want)
	if err != nil {
		return fmt.Sprintf("the expected answer is no JSON: %v", err)
	}
	g, err := decode(got)
	if err != nil {
		return fmt.Sprintf("the answer is no JSON: %v", err)
	}
	return differs(g, w, "")
}

// decode reads JSON with its numbers as they were written.
func decode(text string) (v any, err error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func differs(got, want any, at string) string {
	if want == "*" {
		return ""
	}
	switch w := want.(type) {
	case map[string]any:
		g, isObject := got.(map[string]any)
		if !isObject {
			return fmt.Sprintf("%s is %v, not an object", at, got)
		}
		_, open := w["…"]
		for name, value := range w {
			if name == "…" {
				continue
			}
			has, given := g[name]
			if !given {
				return fmt.Sprintf("%s.%s is missing", at, name)
			}
			if d := differs(has, value, at+"."+name); d != "" {
				return d
			}
		}
		for name := range g {
			if _, expected := w[name]; !expected && !open {
				return fmt.Sprintf("%s.%s is too much: %v", at, name, g[name])
			}
		}
		return ""
	case []any:
		g, isList := got.([]any)
		if !isList || len(g) != len(w) {
			return fmt.Sprintf("%s is %v, want %v", at, got, want)
		}
		for i := range w {
			if d := differs(g[i], w[i], fmt.Sprintf("%s[%d]", at, i)); d != "" {
				return d
			}
		}
		return ""
	}
	if !reflect.DeepEqual(got, want) {
		return fmt.Sprintf("%s is %v, want %v", at, got, want)
	}
	return ""
}
