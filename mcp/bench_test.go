package mcp

import (
	"bytes"
	"io"
	"net/http"
	"testing"
)

// BenchmarkCall is one call of a tool over HTTP on the socket, the protocol's
// part of which is the difference to BenchmarkRoute.
func BenchmarkCall(b *testing.B) {
	benchmarkPost(b, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kb_outline"}}`)
}

// BenchmarkRoute is the same call over the JSON route.
func BenchmarkRoute(b *testing.B) { benchmarkPost(b, "/v1/call/kb_outline", `{}`) }

func benchmarkPost(b *testing.B, path, body string) {
	f := startFixture(b)
	client := &http.Client{Transport: f.transport()}
	for b.Loop() {
		request, err := http.NewRequest(http.MethodPost, "http://waymark"+path, bytes.NewReader([]byte(body)))
		if err != nil {
			b.Fatal(err)
		}
		request.Header = header("")
		response, err := client.Do(request)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			b.Fatal(err)
		}
		response.Body.Close()
	}
}

// BenchmarkNewBridge is what starting costs before the first message.
func BenchmarkNewBridge(b *testing.B) {
	for b.Loop() {
		if _, err := NewBridge(BridgeOptions{Transport: http.DefaultTransport, Operator: true}); err != nil {
			b.Fatal(err)
		}
	}
}
