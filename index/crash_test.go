//go:build unix

package index

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// childDirectory names the environment variable that makes a test binary the
// child of TestCrash; its value is where the child's index is.
const childDirectory = "WAYMARK_INDEX_CRASH"

// crashSteps is how often the content changes until the parent looks at it:
// more often than the child gets to.
const crashSteps = 4000

// TestCrashChild writes until it is killed.
func TestCrashChild(t *testing.T) {
	directory := os.Getenv(childDirectory)
	if directory == "" {
		t.Skip("runs as the child of TestCrash")
	}
	a := newAuthor(77, 150)
	o := testOptions(directory)
	o.FlushRows = 20
	m := Open(a.store, testAnalyzer, o)
	for range crashSteps {
		a.step()
		if err := m.Refresh(testWorkspace); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCrash kills a process that writes. What it leaves behind opens, is brought
// up to the store, and is what the store says; nothing has to be rebuilt.
func TestCrash(t *testing.T) {
	executable, err := os.Executable()
	if err != nil {
		t.Skipf("no executable: %v", err)
	}
	a := newAuthor(77, 150)
	for range crashSteps {
		a.step()
	}
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		directory := t.TempDir()
		child := exec.Command(executable, "-test.run=^TestCrashChild$")
		child.Env = append(os.Environ(), childDirectory+"="+directory)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		manifest := filepath.Join(directory, testWorkspace, manifestName)
		for start := time.Now(); time.Since(start) < 20*time.Second; time.Sleep(time.Millisecond) {
			if _, err := os.Stat(manifest); err == nil {
				break
			}
		}
		time.Sleep(time.Duration(37*round) * time.Millisecond)
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		// It was killed, so this is no nil.
		_ = child.Wait()
		m := open(a.store, testAnalyzer, testOptions(directory))
		check(t, m)
		if h, err := m.Health(testWorkspace); err != nil || h.Rebuilt != "" {
			t.Errorf("round %d: Health() = %+v, %v, want nothing rebuilt", round, h, err)
		}
		if err := m.Close(); err != nil {
			t.Errorf("round %d: Close() = %v", round, err)
		}
	}
}
