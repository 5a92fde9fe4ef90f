package index

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"waymark/store"
)

// writtenIndex returns a store and the files of its index: a manifest, and
// segments of both kinds with dead rows.
func writtenIndex(t testing.TB) (*fakeStore, map[string][]byte) {
	t.Helper()
	a := newAuthor(5, 130)
	for range 450 {
		a.step()
	}
	o := testOptions(t.TempDir())
	m := open(a.store, testAnalyzer, o)
	acquire(t, m)
	m.mustFlush(t)
	for i := range 5 {
		a.store.putRule(a.rule(fmt.Sprint("rule-", i)))
		a.store.putDocument(a.document(fmt.Sprint("document-", i)))
	}
	refresh(t, m)
	h, err := m.Health(testWorkspace)
	if err != nil || h.Rules.DeadRows == 0 || h.Documents.DeadRows == 0 || h.Rules.Segments < 2 {
		t.Fatalf("Health() = %+v, %v, want dead rows and several segments", h, err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return a.store, readFolder(t, filepath.Join(o.Directory, testWorkspace))
}

func readFolder(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		if files[filepath.Base(name)], err = os.ReadFile(name); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// writeFolder puts files into a new directory of an index.
func writeFolder(t testing.TB, files map[string][]byte) (directory string) {
	t.Helper()
	directory = t.TempDir()
	folder := filepath.Join(directory, testWorkspace)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return directory
}

// openDamaged opens an index whose files may be damaged and returns why it was
// rebuilt. That it is what the store says, and that its files are good the next
// time, is compared when that is asked for.
func openDamaged(t *testing.T, f *fakeStore, o Options, compare bool) (reason string) {
	t.Helper()
	m := open(f, testAnalyzer, o)
	if compare {
		check(t, m)
	}
	h, err := m.Health(testWorkspace)
	if err != nil || h.Failure != "" {
		t.Errorf("Health() = %+v, %v, want no failure", h, err)
	}
	if err := m.Close(); err != nil {
		t.Errorf("Close() = %v", err)
	}
	if !compare {
		return h.Rebuilt
	}
	// What was rebuilt is used the next time.
	m = open(f, testAnalyzer, o)
	defer m.Close()
	again, err := m.Health(testWorkspace)
	if err != nil || again.Rules.Items != h.Rules.Items || again.Documents.Rows != h.Documents.Rows || again.Rebuilt != "" || again.StoreVersion != h.StoreVersion {
		t.Errorf("Health() after a restart = %+v, %v, want version %d from the files", again, err, h.StoreVersion)
	}
	return h.Rebuilt
}

func TestUndamagedFilesAreUsed(t *testing.T) {
	f, files := writtenIndex(t)
	if len(files) < 4 {
		t.Fatalf("%d files, want a manifest and segments", len(files))
	}
	if reason := openDamaged(t, f, testOptions(writeFolder(t, files)), true); reason != "" {
		t.Errorf("rebuilt: %s", reason)
	}
}

func TestDamagedFilesAreRebuilt(t *testing.T) {
	f, files := writtenIndex(t)
	rng := rand.New(rand.NewPCG(1, 1))
	damage := func(name, what string, change func(data []byte) []byte) {
		if testing.Short() && rng.IntN(4) > 0 {
			return
		}
		t.Run(name+" "+what, func(t *testing.T) {
			damaged := map[string][]byte{}
			for other, data := range files {
				damaged[other] = data
			}
			if data := change(append([]byte(nil), files[name]...)); data != nil {
				damaged[name] = data
			} else {
				delete(damaged, name)
			}
			reason := openDamaged(t, f, testOptions(writeFolder(t, damaged)), rng.IntN(8) == 0)
			if gone := name == manifestName && damaged[name] == nil; (reason == "") != gone {
				t.Errorf("rebuilt because of %q", reason)
			}
		})
	}
	flip := func(at int) func([]byte) []byte {
		return func(data []byte) []byte {
			data[at] ^= 1 << rng.IntN(8)
			return data
		}
	}
	for name, data := range files {
		damage(name, "gone", func([]byte) []byte { return nil })
		damage(name, "empty", func([]byte) []byte { return []byte{} })
		damage(name, "longer", func(data []byte) []byte { return append(data, 0) })
		damage(name, "of zeros", func(data []byte) []byte { return make([]byte, len(data)) })
		for range 4 {
			at := rng.IntN(len(data))
			damage(name, fmt.Sprint("cut at ", at), func(data []byte) []byte { return data[:at] })
		}
		if name == manifestName {
			for range 10 {
				at := rng.IntN(len(data))
				damage(name, fmt.Sprint("byte ", at), flip(at))
			}
			continue
		}
		h, err := readHead(data, int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			at := rng.IntN(headSize)
			damage(name, fmt.Sprint("byte ", at, " of the head"), flip(at))
		}
		for s, p := range h.Table {
			if p.Length > 0 {
				at := int(p.Offset) + rng.IntN(int(p.Length))
				damage(name, fmt.Sprint("byte ", at, " of section ", s), flip(at))
			}
		}
	}
}

// TestForeignFilesAreRebuilt: whole files that were made with something else,
// or of another store.
func TestForeignFilesAreRebuilt(t *testing.T) {
	f, files := writtenIndex(t)
	for name, change := range map[string]func(o *Options){
		"model": func(o *Options) { o.Model = "other" },
		"bank":  func(o *Options) { o.Bank = o.Bank[:2] },
		"none":  func(o *Options) { o.Model, o.Dimension, o.Bank = "", 0, nil },
	} {
		t.Run(name, func(t *testing.T) {
			o := testOptions(writeFolder(t, files))
			change(&o)
			if reason := openDamaged(t, f, o, true); !strings.Contains(reason, "made with") {
				t.Errorf("rebuilt because of %q", reason)
			}
		})
	}
	t.Run("store that is behind", func(t *testing.T) {
		behind := newAuthor(5, 20)
		behind.step()
		if reason := openDamaged(t, behind.store, testOptions(writeFolder(t, files)), true); !strings.Contains(reason, "show version") {
			t.Errorf("rebuilt because of %q", reason)
		}
	})
	t.Run("store that went another way", func(t *testing.T) {
		other := newAuthor(6, 20)
		for other.store.version <= f.version {
			other.step()
		}
		other.store.log[f.version-1].At = other.store.log[f.version-1].At.Add(1)
		if reason := openDamaged(t, other.store, testOptions(writeFolder(t, files)), true); !strings.Contains(reason, "another version") {
			t.Errorf("rebuilt because of %q", reason)
		}
	})
}

// TestFilesOfCrashes: what a crash leaves behind is removed.
func TestFilesOfCrashes(t *testing.T) {
	f, files := writtenIndex(t)
	files["99.seg"], files["99.graph"], files["manifest.new"] = []byte("half"), []byte("half"), []byte("half")
	o := testOptions(writeFolder(t, files))
	m := open(f, testAnalyzer, o)
	acquire(t, m)
	f.putTrail(store.Trail{ID: "another", Name: "Another"})
	refresh(t, m)
	m.mustFlush(t)
	for name := range readFolder(t, filepath.Join(o.Directory, testWorkspace)) {
		if strings.HasPrefix(name, "99.") || strings.HasSuffix(name, ".new") {
			t.Errorf("%s is still there", name)
		}
	}
	if err := m.Close(); err != nil {
		t.Errorf("Close() = %v", err)
	}
}

// TestUnwritableDirectory: answers do not depend on files.
func TestUnwritableDirectory(t *testing.T) {
	a := newAuthor(3, 40)
	for range 200 {
		a.step()
	}
	directory := filepath.Join(t.TempDir(), "index")
	if err := os.WriteFile(directory, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m := open(a.store, testAnalyzer, testOptions(directory))
	check(t, m)
	a.step()
	refresh(t, m)
	check(t, m)
	found, _ := m.workspaces.Load(testWorkspace)
	m.maintain(found.(*workspace))
	if h, err := m.Health(testWorkspace); err != nil || h.Failure == "" {
		t.Errorf("Health() = %+v, %v, want a failure", h, err)
	}
	if err := m.Close(); err == nil {
		t.Error("Close() = nil, want an error: nothing could be written")
	}
	check2 := open(a.store, testAnalyzer, testOptions(directory))
	check(t, check2)
}
