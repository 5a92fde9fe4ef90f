package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"waymark/tool"
)

// transports are the two ways in which the SDK's own client connects.
func transports(t *testing.T, f *fixture, agent string) map[string]sdk.Transport {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	go func() {
		if err := f.bridge(agent).Run(t.Context(), inRead, outWrite); err != nil {
			t.Errorf("the bridge ended with %v", err)
		}
		_ = outWrite.Close()
	}()
	asCaller := roundTrip(func(r *http.Request) (*http.Response, error) {
		for name, values := range header(agent) {
			r.Header[name] = values
		}
		return f.transport().RoundTrip(r)
	})
	return map[string]sdk.Transport{
		"stdio": &sdk.IOTransport{Reader: outRead, Writer: inWrite},
		"http":  &sdk.StreamableClientTransport{Endpoint: "http://waymark/mcp", HTTPClient: &http.Client{Transport: asCaller}},
	}
}

func TestClientOfTheSDK(t *testing.T) {
	f := startFixture(t)
	f.agent("reviewer", "search_trail_rules", "kb_search", "kb_get", "list_trail_domains_and_tags")
	for name, transport := range transports(t, f, "reviewer") {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			changed := make(chan bool, 10)
			client := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, &sdk.ClientOptions{
				ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { changed <- true }})
			session, err := client.Connect(ctx, transport, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			if i := session.InitializeResult(); !strings.Contains(i.Instructions, "search_trail_rules") || i.ServerInfo.Name != "waymark" {
				t.Errorf("the server says of itself: %+v", i)
			}
			list, err := session.ListTools(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, tool := range list.Tools {
				names = append(names, tool.Name)
			}
			if diff := cmp.Diff([]string{"kb_get", "kb_search", "list_trail_domains_and_tags", "search_trail_rules"}, names); diff != "" {
				t.Errorf("tools (-want +got):\n%s", diff)
			}
			result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "search_trail_rules", Arguments: map[string]any{"query": "approval of invoices over 5,000 USD"}})
			if err != nil || result.IsError {
				t.Fatalf("CallTool() = %+v, %v", result, err)
			}
			if text := result.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, `rule "INV-1"`) {
				t.Errorf("the text names no INV-1:\n%s", text)
			}
			result, err = session.CallTool(ctx, &sdk.CallToolParams{Name: "kb_curate"})
			if err != nil || !result.IsError {
				t.Errorf("a tool that is off: %+v, %v", result, err)
			}
			read, err := session.ReadResource(ctx, &sdk.ReadResourceParams{URI: "kb://doc/hotel-policy"})
			if err != nil || !strings.Contains(read.Contents[0].Text, "travel desk") {
				t.Errorf("ReadResource() = %+v, %v", read, err)
			}
			prompt, err := session.GetPrompt(ctx, &sdk.GetPromptParams{Name: promptName, Arguments: map[string]string{"action": "book a hotel"}})
			if err != nil || !strings.Contains(prompt.Messages[0].Content.(*sdk.TextContent).Text, `"book a hotel"`) {
				t.Errorf("GetPrompt() = %+v, %v", prompt, err)
			}
			completed, err := session.Complete(ctx, &sdk.CompleteParams{Ref: &sdk.CompleteReference{Type: "ref/prompt", Name: promptName},
				Argument: sdk.CompleteParamsArgument{Name: "trail", Value: "t"}})
			if err != nil || !slices.Equal(completed.Completion.Values, []string{"Travel"}) {
				t.Errorf("Complete() = %+v, %v", completed, err)
			}
			f.setTools("reviewer", "search_trail_rules", "kb_search", "kb_get", "list_trail_domains_and_tags", "kb_outline")
			select {
			case <-changed:
			case <-ctx.Done():
				t.Error("the client was not told of a new tool")
			}
			f.setTools("reviewer", "search_trail_rules", "kb_search", "kb_get", "list_trail_domains_and_tags")
		})
	}
}

// toolCalls are calls of every tool, good and bad.
var toolCalls = []struct{ name, arguments string }{
	{"search_trail_rules", `{"query":"who approves an invoice over 5,000 USD?"}`},
	{"search_trail_rules", `{"query":"hotels","trails":["Travel"],"limit":1}`},
	{"search_trail_rules", `{"query":"approval","explain":true}`},
	{"search_trail_rules", `{"query":"zebra quantum"}`},
	{"search_trail_rules", `{"query":"approval <b>&</b>","clusters":["Limits"]}`},
	{"search_trail_rules", `{"query":"approval","domains":["Hotls","Chcks"]}`},
	{"search_trail_rules", `{}`},
	{"search_trail_rules", `{"query":"x","limit":[]}`},
	{"search_trail_rules", `{"query":"x","cursor":"nonsense"}`},
	{"get_brain_context", `{"trail":"Invoices","query":"approval"}`},
	{"get_brain_context", `{"trail":"none","query":"approval"}`},
	{"list_trail_domains_and_tags", `{}`},
	{"kb_search", `{"query":"hotels"}`},
	{"kb_search", `{"query":"hotels","verbose":true,"explain":true,"abstain":true}`},
	{"kb_search", `{"query":"zebra quantum","abstain":true}`},
	{"kb_search", `{"query":"hotels","tier":"T9"}`},
	{"kb_get", `{"id":"hotel-policy"}`},
	{"kb_get", `{"id":"old-hotel-policy","verbose":true}`},
	{"kb_get", `{"id":"hotel"}`},
	{"kb_list", `{}`},
	{"kb_outline", `{}`},
	{"kb_curate", `{}`},
	{"kb_none", `{}`},
}

// TestSameAnswerAsTheJSONRoute: structured content is the answer of the JSON
// route, and every answer, good or bad, keeps to the tool's output schema.
func TestSameAnswerAsTheJSONRoute(t *testing.T) {
	f := startFixture(t)
	schemas := map[string]*jsonschema.Resolved{}
	described, err := describe(tool.All())
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range described {
		var s jsonschema.Schema
		f.must(json.Unmarshal(d.OutputSchema.(json.RawMessage), &s))
		if s.Type != "object" {
			t.Errorf("the output schema of %s is of type %q", name, s.Type)
		}
		schemas[name], err = s.Resolve(nil)
		f.must(err)
	}
	client := &http.Client{Transport: f.transport()}
	post := func(path, body string) (int, []byte) {
		t.Helper()
		request, err := http.NewRequest(http.MethodPost, "http://waymark"+path, strings.NewReader(body))
		f.must(err)
		request.Header = header("")
		response, err := client.Do(request)
		f.must(err)
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		f.must(err)
		return response.StatusCode, answer
	}
	for _, c := range toolCalls {
		status, route := post("/v1/call/"+c.name, c.arguments)
		_, message := post("/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+c.name+`","arguments":`+c.arguments+`}}`)
		var answer struct {
			Result struct {
				Content           []struct{ Type, Text string }
				StructuredContent json.RawMessage
				IsError           bool
			}
		}
		f.must(json.Unmarshal(message, &answer))
		if d := difference(string(answer.Result.StructuredContent), string(route)); d != "" {
			t.Errorf("%s %s: the structured content is not the JSON route's answer: %s", c.name, c.arguments, d)
		}
		if answer.Result.IsError != (status != http.StatusOK) {
			t.Errorf("%s %s: isError = %t, and the JSON route says %d", c.name, c.arguments, answer.Result.IsError, status)
		}
		if len(answer.Result.Content) != 1 || answer.Result.Content[0].Type != "text" || answer.Result.Content[0].Text == "" {
			t.Errorf("%s %s: content = %+v", c.name, c.arguments, answer.Result.Content)
		}
		schema := schemas[c.name]
		if schema == nil {
			continue
		}
		var structured any
		f.must(json.Unmarshal(answer.Result.StructuredContent, &structured))
		if err := schema.Validate(structured); err != nil {
			t.Errorf("%s %s: the answer breaks its schema: %v\n%s", c.name, c.arguments, err, route)
		}
	}
}

// TestSchemasAreOfPlainTypes: no schema has a union of types, which some hosts
// refuse, and every parameter is described.
func TestSchemasAreOfPlainTypes(t *testing.T) {
	described, err := describe(tool.All())
	if err != nil {
		t.Fatal(err)
	}
	for name, d := range described {
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"type":[`) {
			t.Errorf("%s has a union of types: %s", name, text)
		}
		for parameter, p := range d.InputSchema.(*tool.Schema).Properties {
			if p.Type == "" || p.Description == "" {
				t.Errorf("%s: the parameter %s has type %q and description %q", name, parameter, p.Type, p.Description)
			}
		}
		if d.Title == "" || d.Description == "" {
			t.Errorf("%s has title %q and description %q", name, d.Title, d.Description)
		}
	}
	for _, s := range []string{`{}`, `{"error":{"code":"x"}}`, `[]`, `{"state":"ok"}`} {
		var schema jsonschema.Schema
		if err := json.Unmarshal(described["search_trail_rules"].OutputSchema.(json.RawMessage), &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			t.Fatal(err)
		}
		if resolved.Validate(v) == nil {
			t.Errorf("the output schema takes %s, which is neither an answer nor a failure", s)
		}
	}
}
