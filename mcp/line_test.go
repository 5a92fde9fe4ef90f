package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestIDScannerAgreesWithTheParser: of any message, in pieces of any size, the
// scanner finds the id that the parser finds.
func TestIDScannerAgreesWithTheParser(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	ids := []string{`1`, `-7`, `"a"`, `"a\"b,}"`, `"é"`, `1.5e3`, `null`, `{"id":3}`, `[1,2]`, `true`, ``}
	others := []string{`"jsonrpc":"2.0"`, `"method":"tools/call"`, `"params":{"id":9,"x":"}\\"}`, `"params":{"a":[{"id":"no"}],"b":"\\\"id\":4"}`, `"x":["id",5]`, `"y":"id"`}
	for range 2000 {
		parts := []string{}
		for _, o := range others {
			if random.IntN(2) == 0 {
				parts = append(parts, o)
			}
		}
		if id := ids[random.IntN(len(ids))]; id != "" {
			parts = append(parts, `"id": `+id)
		}
		random.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		text := []byte("{" + strings.Join(parts, " ,\n ") + "}\n")
		want := readMessage(bytes.TrimSpace(text)).id
		if id := want; id != nil && !isID(id) {
			want = nil
		}
		var s idScanner
		for rest := text; len(rest) > 0; {
			n := 1 + random.IntN(min(len(rest), 12))
			s.scan(rest[:n])
			rest = rest[n:]
		}
		if !bytes.Equal(s.id, want) {
			t.Fatalf("the id of %s = %s, want %s", text, s.id, want)
		}
	}
}

func FuzzReadLine(f *testing.F) {
	for _, seed := range []string{"{}", "[]", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "\xef\xbb\xbf{}\r\n{}", `[{"id":1},{}]`, `{"id":1}{"id":2}`, "\xff", "nul", `{"jsonrpc":"2.0","method":"x","params":[]}`, "{\"a\":\"\\ud800\"}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bufio.NewReaderSize(bytes.NewReader(data), 16)
		for {
			frames, err := readLine(r)
			for _, frame := range frames {
				if len(frame.items) == 0 {
					t.Fatalf("%q gives an empty frame", data)
				}
				for _, i := range frame.items {
					checkItem(t, data, i)
				}
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// checkItem holds what the code after reading relies on.
func checkItem(t *testing.T, data []byte, i item) {
	t.Helper()
	if i.err == nil && i.method == "" && i.id == nil {
		t.Errorf("%q is neither a message nor an error", data)
	}
	if i.id != nil && !isID(i.id) {
		t.Errorf("%q has the id %s", data, i.id)
	}
	if a := answer(i.id, null, i.err); !json.Valid(a) || bytes.ContainsAny(a, "\n\r") {
		t.Errorf("%q is answered with %q", data, a)
	}
	if i.err == nil && i.id != nil && !sdkID(i.id).IsValid() {
		t.Errorf("%q has an id that the SDK takes for none", data)
	}
}

func TestReadLineAtItsLimit(t *testing.T) {
	head, tail := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"`, `"}}`
	for _, over := range []int{0, 1} {
		line := head + strings.Repeat("a", maxMessage-len(head)-len(tail)-1+over) + tail + "\n"
		frames, err := readLine(bufio.NewReader(strings.NewReader(line)))
		if err != nil || len(frames) != 1 {
			t.Fatalf("readLine(%d bytes) = %d frames, %v", len(line), len(frames), err)
		}
		if refused := frames[0].items[0].err != nil; refused != (over > 0) {
			t.Errorf("readLine(%d bytes) refused = %t", len(line), refused)
		}
	}
}
