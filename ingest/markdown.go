package ingest

import (
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownParser reads CommonMark with tables.
var markdownParser = goldmark.New(goldmark.WithExtensions(extension.Table)).Parser()

// readMarkdown turns markdown into plain text. What a reader sees is kept: the
// words of links, code, tables and images' descriptions. What he does not see is
// dropped: addresses of links that have words, HTML tags and HTML comments.
// firstLine is the line of the file on which source begins.
func readMarkdown(source string, firstLine int) page {
	p := page{bodyLine: firstLine}
	if hostile(source) {
		p.blocks = readPlain(source, firstLine)
		return p
	}
	r := markdownReader{source: []byte(source), firstLine: firstLine}
	for at := 0; at < len(source); at++ {
		if at == 0 || source[at-1] == '\n' {
			r.starts = append(r.starts, at)
		}
	}
	r.walk(markdownParser.Parse(text.NewReader(r.source)), true)
	p.blocks = r.blocks
	return p
}

// markdownReader walks the syntax tree of one file.
type markdownReader struct {
	source    []byte
	starts    []int // offsets at which lines start
	firstLine int
	blocks    []block
}

// line returns the line of the file that holds an offset of the source.
func (r *markdownReader) line(offset int) int {
	return r.firstLine + max(0, sort.SearchInts(r.starts, offset+1)-1)
}

func (r *markdownReader) add(w *blockWriter, level int) {
	if b, ok := w.block(level); ok {
		r.blocks = append(r.blocks, b)
	}
}

// walk reads the children of a block. top is true where a heading begins a
// section; inside quotes and lists it is only a line of text.
func (r *markdownReader) walk(parent ast.Node, top bool) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			level := 0
			if top {
				level = n.Level
			}
			var w blockWriter
			r.inline(&w, n)
			r.add(&w, level)
		case *ast.Paragraph, *ast.TextBlock:
			var w blockWriter
			r.inline(&w, n)
			r.add(&w, 0)
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			r.code(n)
		case *ast.HTMLBlock:
			r.html(n)
		case *extensionast.TableHeader, *extensionast.TableRow:
			r.row(n)
		default:
			r.walk(n, false)
		}
	}
}

// code keeps every line of a code block as a block of its own, so that a long
// one is cut at lines.
func (r *markdownReader) code(n ast.Node) {
	lines := n.Lines()
	for i := range lines.Len() {
		segment := lines.At(i)
		var w blockWriter
		w.write(string(segment.Value(r.source)), r.line(segment.Start))
		r.add(&w, 0)
	}
}

// row writes the cells of a table row with bars between them.
func (r *markdownReader) row(n ast.Node) {
	var w blockWriter
	for cell := n.FirstChild(); cell != nil; cell = cell.NextSibling() {
		before := w.text.Len()
		if before > 0 {
			w.pause(' ')
			w.write("|", w.marks[len(w.marks)-1].line)
			w.pause(' ')
		}
		r.inline(&w, cell)
	}
	r.add(&w, 0)
}

// html keeps the words of a block of HTML, other than scripts and styles.
func (r *markdownReader) html(n *ast.HTMLBlock) {
	lines := n.Lines()
	if lines.Len() > 0 {
		first := lines.At(0)
		if head := strings.ToLower(string(first.Value(r.source))); strings.HasPrefix(head, "<script") || strings.HasPrefix(head, "<style") {
			return
		}
	}
	var w blockWriter
	var s htmlStripper
	for i := range lines.Len() {
		segment := lines.At(i)
		w.write(resolve(s.strip(string(segment.Value(r.source)))), r.line(segment.Start))
		w.pause('\n')
	}
	if n.HasClosure() {
		w.write(resolve(s.strip(string(n.ClosureLine.Value(r.source)))), r.line(n.ClosureLine.Start))
	}
	r.add(&w, 0)
}

// inline writes the words of a block's inline elements.
func (r *markdownReader) inline(w *blockWriter, parent ast.Node) {
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Text:
			value := string(n.Segment.Value(r.source))
			if _, code := parent.(*ast.CodeSpan); !code && !n.IsRaw() {
				value = resolve(value)
			}
			w.write(value, r.line(n.Segment.Start))
			if n.HardLineBreak() {
				w.pause('\n')
			} else if n.SoftLineBreak() {
				w.pause(' ')
			}
		case *ast.String:
			w.write(string(n.Value), w.lastLine())
		case *ast.AutoLink:
			w.write(string(n.Label(r.source)), r.line(max(0, n.Pos())))
		case *ast.RawHTML:
			switch tag := r.tag(n); {
			case tag == "br":
				w.pause('\n')
			case !slices.Contains(phrasing, tag):
				w.pause(' ')
			}
		case *ast.Link:
			if _, beside := n.PreviousSibling().(*ast.Link); beside {
				w.pause(' ')
			}
			before := w.text.Len()
			w.links = append(w.links, link{before, string(n.Destination)})
			r.inline(w, n)
			if w.text.Len() == before {
				w.write(string(n.Destination), r.line(max(0, n.Pos())))
			}
		default:
			r.inline(w, n)
		}
	}
}

// phrasing are the tags that may stand inside a word.
var phrasing = []string{"a", "abbr", "b", "code", "em", "i", "kbd", "mark", "s", "small", "span", "strong", "sub", "u", "!--"}

// tag returns the name of an HTML tag, in lower case.
func (r *markdownReader) tag(n *ast.RawHTML) string {
	text := strings.TrimLeft(strings.ToLower(string(n.Segments.Value(r.source))), "</")
	if strings.HasPrefix(text, "!--") {
		return "!--"
	}
	if end := strings.IndexFunc(text, func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }); end >= 0 {
		text = text[:end]
	}
	return text
}

// lastLine is the line of the text written last.
func (w *blockWriter) lastLine() int {
	if len(w.marks) == 0 {
		return 1
	}
	return w.marks[len(w.marks)-1].line
}

// resolve turns backslash escapes and character references into what they
// stand for.
func resolve(s string) string {
	if !strings.ContainsAny(s, "\\&") {
		return s
	}
	b := util.UnescapePunctuations([]byte(s))
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(b)))
}

// htmlStripper takes tags and comments out of HTML that comes line by line.
type htmlStripper struct{ until string }

func (s *htmlStripper) strip(line string) string {
	var b strings.Builder
	for line != "" {
		if s.until != "" {
			end := strings.Index(line, s.until)
			if end < 0 {
				return b.String()
			}
			line, s.until = line[end+len(s.until):], ""
			continue
		}
		open := strings.IndexByte(line, '<')
		if open < 0 {
			b.WriteString(line)
			break
		}
		b.WriteString(line[:open])
		line = line[open:]
		switch {
		case strings.HasPrefix(line, "<!--"):
			s.until, line = "-->", line[4:]
		case len(line) > 1 && (line[1] == '/' || line[1] == '!' || line[1] == '?' || isLetter(line[1])):
			b.WriteByte(' ')
			s.until, line = ">", line[1:]
		default:
			b.WriteByte('<')
			line = line[1:]
		}
	}
	return b.String()
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
