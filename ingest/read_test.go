package ingest

import (
	"archive/zip"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// write makes files below a folder.
func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func paths(in Inputs) []string {
	var out []string
	for _, f := range in.Files {
		out = append(out, f.Path)
	}
	return out
}

// unread writes the files that were not read with the reason.
func unread(in Inputs) []string {
	var out []string
	for _, u := range in.Unread {
		out = append(out, readFailure(u).Error())
	}
	return out
}

func TestReadDir(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, dir, map[string]string{"b.md": "B", "a/z.markdown": "Z", "a/A.MD": "A", "a/note.txt": "", "a/p.rst": "P", ".git/c.md": "", ".hidden.md": "",
		"a/.x/d.md": "", "t/e.md.tmpl": "E", "a.b/f.md": "F"})
	write(t, outside, map[string]string{"secret.md": "S", "folder/s.md": "S"})
	for link, target := range map[string]string{
		"in.md": filepath.Join(dir, "b.md"), "folder": "a.b", "out.md": filepath.Join(outside, "secret.md"),
		"outfolder": filepath.Join(outside, "folder"), "loop": ".", "a/up": "..", "dangling.md": "nowhere.md", "dangling.txt": "nowhere.txt",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	in, err := ReadDir(dir, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a.b/f.md", "a/A.MD", "a/z.markdown", "b.md", "folder/f.md", "in.md", "t/e.md.tmpl"}; !slices.Equal(paths(in), want) {
		t.Errorf("files = %q, want %q", paths(in), want)
	}
	if want := []string{"a/up: the link leads to a folder that it lies in", "dangling.md: the file cannot be read: no such file or directory",
		"loop: the link leads to a folder that it lies in", "out.md: the link leads out of the imported folder", "outfolder: the link leads out of the imported folder"}; !slices.Equal(unread(in), want) {
		t.Errorf("unread = %q, want %q", unread(in), want)
	}
	if in.Ignored != 3 { // note.txt, p.rst, dangling.txt
		t.Errorf("%d files ignored, want 3", in.Ignored)
	}
	if in, err := ReadDir(dir, ReadOptions{PEP: true}); err != nil || !slices.Contains(paths(in), "a/p.rst") {
		t.Errorf("with PEP: %q, %v, want a/p.rst", paths(in), err)
	}
	if in, err := ReadDir(filepath.Join(dir, "b.md"), ReadOptions{}); err != nil || !slices.Equal(paths(in), []string{"b.md"}) || string(in.Files[0].Data) != "B" {
		t.Errorf("one file: %q, %v", paths(in), err)
	}
	if _, err := ReadDir(filepath.Join(dir, "nowhere"), ReadOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("ReadDir of nothing = %v, want os.ErrNotExist", err)
	}
}

func TestReadDirThroughLink(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"real/a.md": "A"})
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if in, err := ReadDir(filepath.Join(dir, "link"), ReadOptions{}); err != nil || !slices.Equal(paths(in), []string{"a.md"}) {
		t.Errorf("ReadDir of a link to a folder = %q, %v", paths(in), err)
	}
}

// TestReadDirUnreadableFolder: what lies in a folder that cannot be read must not
// be taken for gone.
func TestReadDirUnreadableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads everything")
	}
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.md": "A", "b/c.md": "C"})
	if err := os.Chmod(filepath.Join(dir, "b"), 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(dir, "b"), 0o755)
	if _, err := ReadDir(dir, ReadOptions{}); !errors.Is(err, os.ErrPermission) {
		t.Errorf("ReadDir = %v, want os.ErrPermission", err)
	}
}

func TestReadDirHugeFile(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.md": ""})
	if err := os.Truncate(filepath.Join(dir, "a.md"), 1<<34); err != nil {
		t.Skip(err)
	}
	in, err := ReadDir(dir, ReadOptions{})
	if err != nil || len(in.Files) != 1 || len(in.Files[0].Data) != MaxDocumentBytes+1 {
		t.Errorf("ReadDir of a file of 16 GiB: %v, want it cut one byte after what is taken", err)
	}
}

// archive makes a zip; a name that ends in @ is a link.
func archive(t *testing.T, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		h := &zip.FileHeader{Name: strings.TrimSuffix(files[i], "@"), Method: zip.Deflate}
		h.SetMode(0o644)
		if strings.HasSuffix(files[i], "@") {
			h.SetMode(0o777 | os.ModeSymlink)
		}
		if strings.HasSuffix(files[i], "/") {
			h.SetMode(0o755 | os.ModeDir)
		}
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(files[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadZip(t *testing.T) {
	data := archive(t, "kb/", "", "kb/b.md", "B", "kb/a/c.md", "C", "kb/x.txt", "", "kb/.git/d.md", "", "kb/__MACOSX/e.md", "",
		"kb/../../evil.md", "E", "kb/link.md@", "b.md")
	in, err := ReadZip("/tmp/kb.zip", data, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a/c.md", "b.md"}; !slices.Equal(paths(in), want) || string(in.Files[0].Data) != "C" {
		t.Errorf("files = %q, want %q", paths(in), want)
	}
	if want := []string{"../../evil.md: the path leads out of the imported folder", "link.md: the archive has a link here; links in archives are not followed"}; !slices.Equal(unread(in), want) {
		t.Errorf("unread = %q, want %q", unread(in), want)
	}
	in, err = ReadZip("other.zip", data, ReadOptions{})
	if err != nil || !slices.Contains(paths(in), "kb/b.md") {
		t.Errorf("files = %q, %v, want the folder kept in an archive of another name", paths(in), err)
	}
	in, err = ReadZip("z.zip", archive(t, `folder\a.md`, "A"), ReadOptions{})
	if err != nil || !slices.Equal(paths(in), []string{"folder/a.md"}) {
		t.Errorf("files = %q, %v, want the separators of Windows read", paths(in), err)
	}
	if _, err := ReadZip("z.zip", []byte("PK no"), ReadOptions{}); !errors.Is(err, ErrBadFile) || err.Error() != "z.zip: the archive cannot be read: zip: not a valid zip file" {
		t.Errorf("ReadZip of no archive = %v", err)
	}
}
