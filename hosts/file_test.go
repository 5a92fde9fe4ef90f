package hosts

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestReplace(t *testing.T) {
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "deep", "file")
	if backup, err := Replace(path, []byte("one"), now); backup != "" || err != nil {
		t.Fatalf("Replace(new) = %q, %v", backup, err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(filepath.Dir(path), "link")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	backup, err := Replace(link, []byte("two"), now)
	if err != nil || backup != path+".before-20260601-120000" {
		t.Fatalf("Replace(link) = %q, %v", backup, err)
	}
	for name, want := range map[string]string{path: "two", backup: "one"} {
		if got, err := Read(name); string(got) != want || err != nil {
			t.Errorf("%s = %q, %v, want %q", name, got, err, want)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone (%v)", err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode changed: %v, %v", info.Mode(), err)
	}
	if left, err := filepath.Glob(path + "*"); err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if none, err := Read(path + ".none"); none != nil || err != nil {
		t.Errorf("Read(none) = %q, %v", none, err)
	}
}

func TestDiff(t *testing.T) {
	for _, test := range []struct{ before, after, want string }{
		{"a\nb\n", "a\nb\n", ""},
		{"", "a\n", "+ a\n"},
		{"a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne\n", "  a\n  b\n- c\n+ X\n  d\n  e\n"},
		{"1\n2\n3\n", "1\n2\n3\n4\n", "  2\n  3\n+ 4\n"},
	} {
		if got := Diff([]byte(test.before), []byte(test.after)); got != test.want {
			t.Errorf("Diff(%q, %q) = %q, want %q", test.before, test.after, got, test.want)
		}
	}
}
