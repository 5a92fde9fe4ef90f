package main

import (
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says which packages of ours each package may import, and why the
// others are not among them. Arrows only go down.
var mayImport = map[string]struct {
	ours []string
	why  string
}{
	"analysis":                {nil, "text knows nothing of what is made from it"},
	"vector":                  {nil, "numbers know nothing of what they stand for"},
	"config":                  {nil, "only main reads the configuration; others are given plain options"},
	"store":                   {nil, "the truth does not depend on anything derived from it"},
	"store/storetest":         {[]string{"store"}, "it opens stores for tests"},
	"embedding":               {nil, "an encoder turns text into vectors and nothing else"},
	"embedding/embeddingtest": {[]string{"embedding"}, "it is the encoder of tests"},
	"bench/embedding/timer":   {[]string{"embedding"}, "it times the encoder and nothing else"},
	"hosts":                   {nil, "the files of agent hosts know nothing of ours"},
	"conflict":                {[]string{"analysis"}, "a verdict is a function of two rules"},
	"index":                   {[]string{"store", "analysis", "vector"}, "derived data is rebuilt from the store alone"},
	"search":                  {[]string{"store", "index", "embedding", "analysis", "vector", "conflict"}, "the read path never writes, so it may not know ingest"},
	"search/searchtest":       {[]string{"search", "tool", "ingest", "index", "store", "store/storetest", "embedding", "embedding/embeddingtest", "analysis"}, "it opens the whole read path for tests"},
	"ingest":                  {[]string{"store", "index", "embedding", "analysis", "conflict"}, "the write path does not search"},
	"eval":                    {[]string{"search", "client", "store"}, "measurements go through the socket like any caller"},
	"tool":                    {[]string{"search", "store", "analysis"}, "a tool only reads"},
	"client":                  {[]string{"search", "store", "ingest"}, "types only; a client never opens the database"},
	"server":                  {[]string{"search", "tool", "ingest", "store", "analysis", "index"}, "transports are siblings and meet in main"},
	"mcp":                     {[]string{"search", "tool", "store"}, "transports are siblings and meet in main"},
}

// home says which packages may use a third party: it stays home.
var home = map[string][]string{
	"go.etcd.io/bbolt":                       {"store", "index"},
	"github.com/coder/hnsw":                  {"vector"},
	"github.com/kljensen/snowball":           {"analysis", "conflict"},
	"github.com/knadh/koanf":                 {"config"},
	"github.com/urfave/cli":                  {""},
	"github.com/modelcontextprotocol/go-sdk": {"mcp"},
	"github.com/yuin/goldmark":               {"ingest"},
	"github.com/goccy/go-yaml":               {"ingest"},
	"github.com/xuri/excelize":               {"ingest"},
}

func TestWhoMayImportWhat(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	seen := 0
	for decoder.More() {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		seen++
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "waymark"), "/")
		rule, known := mayImport[name]
		if name != "" && !known {
			t.Errorf("package %q is not in the table of who may import what", name)
		}
		for _, i := range p.Imports {
			if ours, isOurs := strings.CutPrefix(i, "waymark/"); isOurs && name != "" && !slices.Contains(rule.ours, ours) {
				t.Errorf("%s imports %s: %s", name, ours, rule.why)
			}
			for party, homes := range home {
				if strings.HasPrefix(i, party) && !slices.Contains(homes, name) {
					t.Errorf("%s imports %s, whose home is %v", name, i, homes)
				}
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages seen", seen)
	}
}
