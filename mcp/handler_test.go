package mcp

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func (f *fixture) request(method, body string, headers map[string]string) (*http.Response, string) {
	f.t.Helper()
	request, err := http.NewRequest(method, "http://waymark/mcp", strings.NewReader(body))
	f.must(err)
	request.Header = header("")
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	response, err := (&http.Client{Transport: f.transport()}).Do(request)
	f.must(err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	f.must(err)
	return response, string(text)
}

const newCall = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kb_outline","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

// TestHeadersAgreeWithTheBody: from the stateless revision on, a header that says
// something else than the body is refused, and no header is missing.
func TestHeadersAgreeWithTheBody(t *testing.T) {
	f := startFixture(t)
	right := map[string]string{revisionHeader: stateless, methodHeader: "tools/call", nameHeader: "kb_outline"}
	for _, test := range []struct {
		about  string
		change map[string]string
		status int
		says   string
	}{
		{"right", nil, http.StatusOK, `"documents":2`},
		{"right, the name encoded", map[string]string{nameHeader: "=?base64?a2Jfb3V0bGluZQ==?="}, http.StatusOK, `"documents":2`},
		{"no revision", map[string]string{revisionHeader: ""}, http.StatusBadRequest, "-32020"},
		{"another revision", map[string]string{revisionHeader: "2025-11-25"}, http.StatusBadRequest, "-32020"},
		{"an unknown revision", map[string]string{revisionHeader: "2031-01-01"}, http.StatusBadRequest, "-32022"},
		{"no revision at all", map[string]string{revisionHeader: "latest"}, http.StatusBadRequest, "-32022"},
		{"no method", map[string]string{methodHeader: ""}, http.StatusBadRequest, "-32020"},
		{"another method", map[string]string{methodHeader: "tools/list"}, http.StatusBadRequest, "-32020"},
		{"no name", map[string]string{nameHeader: ""}, http.StatusBadRequest, "-32020"},
		{"another name", map[string]string{nameHeader: "kb_list"}, http.StatusBadRequest, "-32020"},
		{"a name that is no base64", map[string]string{nameHeader: "=?base64?%%%?="}, http.StatusBadRequest, "-32020"},
	} {
		headers := map[string]string{}
		for name, value := range right {
			headers[name] = value
		}
		for name, value := range test.change {
			headers[name] = value
		}
		response, body := f.request(http.MethodPost, newCall, headers)
		if response.StatusCode != test.status || !strings.Contains(body, test.says) {
			t.Errorf("%s: %d %s, want %d and %s", test.about, response.StatusCode, body, test.status, test.says)
		}
	}
	// An older call whose header names a revision that nobody knows.
	response, body := f.request(http.MethodPost, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, map[string]string{revisionHeader: "1999-01-01"})
	if response.StatusCode != http.StatusBadRequest || !strings.Contains(body, "-32022") {
		t.Errorf("a batch of an unknown revision: %d %s", response.StatusCode, body)
	}
}

func TestHeaderValuesComeBack(t *testing.T) {
	for _, value := range []string{"", "kb_search", "kb://doc/é ü", " a", "a ", "a\nb", "=?base64?x?=", "日本"} {
		encoded := encodeHeader(value)
		if got := decodeHeader(encoded); got != value {
			t.Errorf("decodeHeader(encodeHeader(%q)) = %q by way of %q", value, got, encoded)
		}
		if strings.ContainsFunc(encoded, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("encodeHeader(%q) = %q, which no header can hold", value, encoded)
		}
	}
}

func TestMethodsOfHTTP(t *testing.T) {
	f := startFixture(t)
	for _, test := range []struct {
		method  string
		headers map[string]string
		status  int
	}{
		{http.MethodDelete, nil, http.StatusMethodNotAllowed},
		{http.MethodPut, nil, http.StatusMethodNotAllowed},
		{http.MethodGet, nil, http.StatusNotAcceptable},
		{http.MethodGet, map[string]string{"Accept": "text/event-stream", revisionHeader: stateless}, http.StatusMethodNotAllowed},
		{http.MethodPost, nil, http.StatusBadRequest},
	} {
		if response, body := f.request(test.method, "", test.headers); response.StatusCode != test.status {
			t.Errorf("%s %v: %d %s, want %d", test.method, test.headers, response.StatusCode, body, test.status)
		}
	}
}

// TestStreams: a stream of each kind says what it is for, ends with the daemon,
// and does not keep it from ending.
func TestStreams(t *testing.T) {
	f := startFixture(t)
	f.agent("reviewer", "kb_outline")
	open := func(method, body string, headers map[string]string) *bufio.Reader {
		t.Helper()
		request, err := http.NewRequest(method, "http://waymark/mcp", strings.NewReader(body))
		f.must(err)
		request.Header = header("reviewer")
		request.Header.Set("Accept", "text/event-stream")
		for name, value := range headers {
			request.Header.Set(name, value)
		}
		response, err := (&http.Client{Transport: f.transport()}).Do(request)
		f.must(err)
		t.Cleanup(func() { response.Body.Close() })
		if kind := response.Header.Get("Content-Type"); response.StatusCode != http.StatusOK || kind != "text/event-stream" {
			t.Fatalf("%s: %d %s", method, response.StatusCode, kind)
		}
		return bufio.NewReader(response.Body)
	}
	event := func(r *bufio.Reader) string {
		t.Helper()
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return err.Error()
			}
			if data, isData := strings.CutPrefix(line, "data: "); isData {
				return strings.TrimSuffix(data, "\n")
			}
		}
	}
	get := open(http.MethodGet, "", map[string]string{revisionHeader: "2025-11-25"})
	listen := open(http.MethodPost, `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		map[string]string{revisionHeader: stateless, methodHeader: listenMethod})
	if got := event(listen); !strings.Contains(got, "notifications/subscriptions/acknowledged") || !strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":7`) {
		t.Errorf("listening begins with %s", got)
	}
	f.setTools("reviewer", "kb_outline", "kb_list")
	if got := event(get); got != `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}` {
		t.Errorf("the stream of GET says %s", got)
	}
	if got := event(listen); !strings.Contains(got, listChanged) || !strings.Contains(got, `"io.modelcontextprotocol/subscriptionId":7`) {
		t.Errorf("the listener is told %s", got)
	}
	began := time.Now()
	f.stop()
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("with two streams open the daemon took %v to end", took)
	}
	for name, r := range map[string]*bufio.Reader{"GET": get, "listening": listen} {
		if rest, err := io.ReadAll(r); err != nil || strings.Contains(string(rest), "data:") {
			t.Errorf("%s ended with %q, %v", name, rest, err)
		}
	}
}
