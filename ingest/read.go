package ingest

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// ReadOptions say which files of a folder or archive are read.
type ReadOptions struct {
	// PEP reads .rst files too.
	PEP bool
}

// maxArchive is the most that an archive may unpack to, in bytes.
const maxArchive = 4 << 30

// Inputs are the documents of a folder or archive, in the order of their paths.
type Inputs struct {
	Files   []File
	Unread  []UnreadFile // could not be read or lead out of the folder
	Ignored int          // files that are no documents
}

// ReadDir reads the documents of a folder and of the folders below it. Hidden
// files and folders, whose names begin with a period, are left out. Symbolic
// links are followed to files and folders inside the folder; one that leads out
// of it, or to a folder that is being read already, is an unread file. A folder
// that cannot be read, though, is an error: what lies in it must not be taken
// for gone. A path that names a single document is read as a folder that holds
// only that.
func ReadDir(root string, o ReadOptions) (Inputs, error) {
	info, err := os.Stat(root)
	if err != nil {
		return Inputs{}, fmt.Errorf("read folder %q: %w", root, err)
	}
	var in Inputs
	if !info.IsDir() {
		data, err := readFile(root)
		if err != nil {
			return Inputs{}, fmt.Errorf("read file %q: %w", root, err)
		}
		in.Files = []File{{Path: filepath.Base(root), Data: data}}
		return in, nil
	}
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return Inputs{}, fmt.Errorf("read folder %q: %w", root, err)
	}
	if real, err = filepath.Abs(real); err != nil {
		return Inputs{}, fmt.Errorf("read folder %q: %w", root, err)
	}
	w := folderWalk{root: real, options: o, in: &in}
	if err := w.folder(real, "", nil); err != nil {
		return Inputs{}, err
	}
	slices.SortFunc(in.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return in, nil
}

// folderWalk reads one folder tree.
type folderWalk struct {
	root    string // absolute, without links
	options ReadOptions
	in      *Inputs
}

// folder reads a folder. above are the real paths of the folders it lies in.
func (w *folderWalk) folder(dir, relative string, above []string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("read folder %q: %w", dir, err)
	}
	above = append(slices.Clip(above), dir)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		name, at := path.Join(relative, entry.Name()), filepath.Join(dir, entry.Name())
		unread := func(err error) { w.in.Unread = append(w.in.Unread, UnreadFile{Path: name, Err: err}) }
		mode := entry.Type()
		if mode&fs.ModeSymlink != 0 {
			target, err := filepath.EvalSymlinks(at)
			if err == nil && target != w.root && !strings.HasPrefix(target, w.root+string(filepath.Separator)) {
				err = &InputError{File: name, Err: ErrOutside, Reason: "the link leads out of the imported folder"}
			}
			var info fs.FileInfo
			if err == nil {
				info, err = os.Stat(target)
			}
			if err == nil && info.IsDir() && (slices.Contains(above, target) || slices.ContainsFunc(above, func(a string) bool {
				return strings.HasPrefix(a, target+string(filepath.Separator))
			})) {
				err = &InputError{File: name, Err: ErrOutside, Reason: "the link leads to a folder that it lies in"}
			}
			if err != nil {
				if isDocument(name) || errors.Is(err, ErrOutside) {
					unread(err)
				} else {
					w.in.Ignored++
				}
				continue
			}
			at, mode = target, info.Mode().Type()
		}
		switch {
		case mode.IsDir():
			if err := w.folder(at, name, above); err != nil {
				return err
			}
		case !mode.IsRegular() || !w.options.wants(name):
			w.in.Ignored++
		default:
			if data, err := readFile(at); err != nil {
				unread(err)
			} else {
				w.in.Files = append(w.in.Files, File{Path: name, Data: data})
			}
		}
	}
	return nil
}

// wants tells whether a file is read.
func (o ReadOptions) wants(name string) bool {
	return isDocument(name) && (o.PEP || !strings.EqualFold(path.Ext(name), ".rst"))
}

// readFile reads a file up to one byte more than a document may have, so that a
// huge one is refused by its size without being held in memory.
func readFile(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	limit := int64(MaxDocumentBytes)
	if isTable(name) {
		limit = MaxTableBytes
	}
	return io.ReadAll(io.LimitReader(f, limit+1))
}

// ReadZip reads the documents of an archive. A folder that holds all files is no
// part of their paths when its name is that of the archive. It returns an
// *InputError for what is no archive, or unpacks to more than 4 GiB.
func ReadZip(file string, data []byte, o ReadOptions) (Inputs, error) {
	bad := func(reason string, sentinel error) (Inputs, error) {
		return Inputs{}, &InputError{File: file, Err: sentinel, Reason: reason}
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return bad("the archive cannot be read: "+err.Error(), ErrBadFile)
	}
	var in Inputs
	total := int64(0)
	top := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), path.Ext(file)) + "/"
	for _, f := range archive.File {
		if !strings.HasPrefix(f.Name, top) {
			top = ""
		}
	}
	for _, f := range archive.File {
		name := strings.TrimPrefix(f.Name, top)
		if strings.HasSuffix(name, "/") || name == "" {
			continue
		}
		unread := func(err error) { in.Unread = append(in.Unread, UnreadFile{Path: name, Err: err}) }
		if f.NonUTF8 && !utf8.ValidString(name) {
			unread(&InputError{File: strings.ToValidUTF8(name, "\uFFFD"), Err: ErrNotUTF8, Reason: "the name of the file is not UTF-8"})
			continue
		}
		clean, err := cleanPath(name)
		switch {
		case err != nil:
			unread(err)
			continue
		case hidden(clean):
			continue
		case f.Mode()&fs.ModeSymlink != 0:
			unread(&InputError{File: clean, Err: ErrOutside, Reason: "the archive has a link here; links in archives are not followed"})
			continue
		case !f.Mode().IsRegular() || !o.wants(clean):
			in.Ignored++
			continue
		}
		content, err := unpack(f)
		if err != nil {
			unread(err)
			continue
		}
		if total += int64(len(content)); total > maxArchive {
			return bad(fmt.Sprintf("the archive unpacks to more than %d GiB", maxArchive>>30), ErrTooLarge)
		}
		in.Files = append(in.Files, File{Path: clean, Data: content})
	}
	slices.SortStableFunc(in.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return in, nil
}

func unpack(f *zip.File) ([]byte, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, MaxDocumentBytes+1))
}

// hidden tells whether a path or a folder above it begins with a period, or is
// what a Mac leaves in archives.
func hidden(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") || part == "__MACOSX"
	})
}
