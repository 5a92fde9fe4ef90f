package ingest

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxID is the longest id that is taken, in bytes.
const maxID = 512

// documentExtensions are those of files that are documents; they are no part of an id.
// Files that end in .tmpl are templates.
var documentExtensions = []string{".md", ".markdown", ".rst", ".md.tmpl"}

// cleanPath returns a path below the imported folder in one form: slashes, NFC,
// no "." parts. It refuses paths that are absolute or lead out of the folder.
func cleanPath(p string) (string, error) {
	refuse := func(reason string) (string, error) {
		return "", &InputError{File: p, Err: ErrOutside, Reason: reason}
	}
	if !utf8.ValidString(p) || strings.ContainsRune(p, 0) {
		return "", &InputError{File: strings.ToValidUTF8(p, "\uFFFD"), Err: ErrNotUTF8, Reason: "the name of the file is not UTF-8"}
	}
	slashed := norm.NFC.String(strings.ReplaceAll(p, `\`, "/"))
	if strings.HasPrefix(slashed, "/") || (len(slashed) > 1 && slashed[1] == ':' && isLetter(slashed[0])) {
		return refuse("the path is absolute; paths count from the imported folder")
	}
	if slices.Contains(strings.Split(slashed, "/"), "..") {
		return refuse("the path leads out of the imported folder")
	}
	cleaned := path.Clean(slashed)
	if cleaned == "." {
		return refuse("the path names no file")
	}
	return cleaned, nil
}

// pathID is the id of a document that gives none: its path without extension,
// the parts joined by hyphens. All other characters stay as they are, so that
// "Travel Policy.md" and "travel-policy.md" are two documents.
func pathID(p string) string { return strings.ReplaceAll(withoutExtension(p), "/", "-") }

// stem is the name of a file without extension.
func stem(p string) string { return path.Base(withoutExtension(p)) }

func withoutExtension(p string) string { return p[:len(p)-len(documentExtension(p))] }

// documentExtension returns the end of a path that makes it a document, or nothing.
func documentExtension(p string) string {
	for _, e := range documentExtensions {
		if at := len(p) - len(e); at > 0 && p[at-1] != '/' && strings.EqualFold(p[at:], e) {
			return p[at:]
		}
	}
	return ""
}

// isDocument tells whether a path has the extension of a document.
func isDocument(p string) bool { return documentExtension(p) != "" }

// checkID refuses ids that cannot be typed or shown; an empty one is fine here.
func checkID(file, id string) error {
	bad := func(reason string) error {
		return &InputError{File: file, Field: "id", Err: ErrBadRow, Reason: reason}
	}
	if len(id) > maxID {
		return bad(fmt.Sprintf("an id has at most %d bytes, this one has %d", maxID, len(id)))
	}
	if strings.ContainsFunc(id, func(r rune) bool { return unicode.IsControl(r) || r == unicode.ReplacementChar }) {
		return bad(fmt.Sprintf("the id %q has a character that cannot be typed", id))
	}
	return nil
}

// place derives tier and category from the folders of a path:
// universal/<category>/… is T1, tech-stacks/<stack>/… is T2,
// projects/<project>/… is T3 and projects/<project>/components/<component>/…
// is T4. Everything else is meta, with its first folder as category.
func place(p string) (tier, category string) {
	folders := strings.Split(p, "/")
	folders = folders[:len(folders)-1]
	at := func(i int) string {
		if i < len(folders) {
			return folders[i]
		}
		return ""
	}
	switch {
	case at(0) == "universal":
		return "T1", at(1)
	case at(0) == "tech-stacks" && at(1) != "":
		return "T2", at(1)
	case at(0) == "projects" && at(1) != "" && at(2) == "components" && at(3) != "":
		return "T4", at(3)
	case at(0) == "projects" && at(1) != "":
		return "T3", at(1)
	}
	return "meta", at(0)
}

// templatePath tells whether the name of a file, or a folder above it, says that
// it is a template.
func templatePath(p string) bool {
	if strings.HasSuffix(strings.ToLower(p), ".tmpl") {
		return true
	}
	parts := strings.Split(strings.ToLower(withoutExtension(p)), "/")
	for _, folder := range parts[:len(parts)-1] {
		if word := strings.Trim(folder, "._-"); word == "templates" || word == "template" {
			return true
		}
	}
	words := strings.FieldsFunc(parts[len(parts)-1], func(r rune) bool { return strings.ContainsRune("._- ", r) })
	return len(words) > 0 && (words[len(words)-1] == "template" || words[len(words)-1] == "templates")
}
