package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"waymark/client"
	"waymark/ingest"
	"waymark/search"
	"waymark/server"
	"waymark/store"
)

// manyRules are rows that take an import several batches.
func manyRules(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"trail": "Rooms", "id": "R-%04d", "text": "Room %d of the north wing is locked by the guard at %d minutes past nine.", "class": "obligation", "status": "approved"}`+"\n", i, i, i%60)
	}
	return b.String()
}

// beginImport sends rules and calls written with the number of rows that the
// daemon says are on disk. It returns the error that the answer ends with.
func beginImport(t *testing.T, socket, workspace, rows string, written func(done int)) error {
	t.Helper()
	c := client.New(socket, client.Options{Workspace: workspace})
	defer c.Close()
	var failure error
	err := c.Import(t.Context(), func(e *json.Encoder) error {
		if err := e.Encode(server.ImportHeader{KeepStatus: true, ConfirmConflicts: true}); err != nil {
			return err
		}
		return e.Encode(server.ImportFile{Path: "rules.jsonl", Data: []byte(rows)})
	}, func(line json.RawMessage) error {
		var e server.ImportEvent
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if e.Error != nil {
			failure = e.Error
		}
		if e.Progress != nil && e.Progress.Phase == ingest.PhaseWrite {
			written(e.Progress.Done)
		}
		return nil
	})
	return errors.Join(err, failure)
}

const (
	crashRules = 520 // three batches
	crashSpace = "crash"
)

// killDuringImport starts a daemon, imports, and sends it the signal once the
// first rows are acknowledged. It returns how many were, and the import's error.
func killDuringImport(t *testing.T, d *served, signal syscall.Signal) (acknowledged int, err error) {
	t.Helper()
	err = beginImport(t, d.socket, crashSpace, manyRules(crashRules), func(done int) {
		if acknowledged == 0 && done > 0 {
			_ = d.Process.Signal(signal)
		}
		acknowledged = done
	})
	return acknowledged, err
}

// rulesOf are the ids of the rules that a daemon holds.
func rulesOf(t *testing.T, socket string) map[string]bool {
	t.Helper()
	ids := map[string]bool{}
	for _, r := range document[[]store.Rule](t, bare(t, "rule", "list", "--json", "-w", crashSpace, "--socket", socket).want(t, 0)) {
		ids[r.ID] = true
	}
	return ids
}

// completes checks that nothing acknowledged is lost, and imports the same rows
// again: what is stored is left alone, the rest is added. retired is how many
// other rules there are, none in force.
func completes(t *testing.T, socket string, acknowledged, retired int) {
	t.Helper()
	ids := rulesOf(t, socket)
	for i := range acknowledged { // rows are stored in the order of the file
		if id := fmt.Sprintf("R-%04d", i); !ids[id] {
			t.Errorf("%s was acknowledged and is lost", id)
		}
	}
	at := []string{"-w", crashSpace, "--socket", socket}
	found := document[search.RuleAnswer](t, bare(t, append([]string{"ask", "--json", "who locks room 1 of the north wing"}, at...)...).want(t, 0))
	if len(found.Results) == 0 {
		t.Error("nothing is found after the restart")
	}
	again := bare(t, append([]string{"import", "--keep-status", "--confirm-conflicts", "--json", write(t, "rules.jsonl", manyRules(crashRules))}, at...)...)
	if got, want := document[ingest.Report](t, again.want(t, 0)).Counts[ingest.Unchanged], len(ids)-retired; got != want {
		t.Errorf("importing again leaves %d rules alone, %d were stored", got, want)
	}
	if got := len(rulesOf(t, socket)) - retired; got != crashRules {
		t.Errorf("%d rules after importing again, want %d", got, crashRules)
	}
	status := document[server.Status](t, bare(t, append([]string{"status", "--json"}, at...)...))
	if h := status.Workspaces[0].Index.Rules; h.Rows-h.DeadRows != crashRules || h.RowsNoVector != 0 {
		t.Errorf("the index has %d rows, %d of them dead and %d without a vector, want %d that live", h.Rows, h.DeadRows, h.RowsNoVector, crashRules)
	}
}

// TestKilledDuringAnImport is kill -9: the socket and the lock are left behind.
func TestKilledDuringAnImport(t *testing.T) {
	dir := testDir(t)
	d := serve(t, dir)
	at := []string{"-w", crashSpace, "--socket", d.socket}
	bare(t, append([]string{"import", "--keep-status", write(t, "first.jsonl", `{"trail": "Rooms", "id": "R-first", "text": "The cellar is locked by the porter.", "status": "approved"}`)}, at...)...).want(t, 0)
	bare(t, append([]string{"ask", "who locks the cellar"}, at...)...).want(t, 0, "R-first")
	time.Sleep(1200 * time.Millisecond) // activity is on disk a second after the search at the latest
	acknowledged, err := killDuringImport(t, d, syscall.SIGKILL)
	if !errors.Is(err, client.ErrInterrupted) {
		t.Errorf("the import ended with %v, want ErrInterrupted", err)
	}
	if acknowledged == 0 || acknowledged >= crashRules {
		t.Fatalf("%d of %d rows were acknowledged: the import was not in its middle", acknowledged, crashRules)
	}
	d.ends(t)
	if mode(t, d.socket) == 0 {
		t.Error("the socket of a killed daemon is gone")
	}
	bare(t, append([]string{"ask", "anything"}, at...)...).want(t, exitUnreachable, "waymark serve")

	serve(t, dir)
	bare(t, append([]string{"activity", "Rooms"}, at...)...).want(t, 0, "who locks the cellar", "R-first")
	ids := rulesOf(t, d.socket)
	if !ids["R-first"] {
		t.Error("a rule of an earlier import is lost")
	}
	bare(t, append([]string{"rule", "retire", "R-first"}, at...)...).want(t, 0)
	completes(t, d.socket, acknowledged, 1)
}

// TestEndedDuringAnImport is SIGTERM: the import is told, and nothing of it that
// was acknowledged is lost.
func TestEndedDuringAnImport(t *testing.T) {
	dir := testDir(t)
	d := serve(t, dir)
	bare(t, "workspace", "create", crashSpace, "--socket", d.socket).want(t, 0)
	began := time.Now()
	acknowledged, err := killDuringImport(t, d, syscall.SIGTERM)
	var told *search.Error
	if !errors.As(err, &told) || told.Code != search.CodeNotReady || !strings.Contains(told.Hint, "Import again") {
		t.Errorf("the import ended with %v, want not_ready and what to do", err)
	}
	if code := d.ends(t); code != exitGood || time.Since(began) > shutdownPatience {
		t.Errorf("the daemon ended with %d after %v: %s", code, time.Since(began), d.log)
	}
	if acknowledged == 0 || acknowledged >= crashRules {
		t.Fatalf("%d of %d rows were acknowledged: the import was not in its middle", acknowledged, crashRules)
	}
	serve(t, dir)
	completes(t, d.socket, acknowledged, 0)
}
