package index

import (
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/kljensen/snowball/english"
	"golang.org/x/text/unicode/norm"

	"waymark/analysis"
	"waymark/store"
)

// plainAnalysis is the analysis of fusion-expected.jsonl, described in the
// design, section 6: NFKC, lower case, words continued over . ' ’ : between
// letters and . , ; ' ’ between digits, a final 's cut, Lucene's 33 stop words
// dropped, Porter2 except for words with a digit.
type plainAnalysis struct{}

var (
	plainWord = regexp.MustCompile(`[\p{L}\p{M}\p{N}_]+`)
	plainStop = map[string]bool{}
)

func init() {
	for _, w := range strings.Fields("a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with") {
		plainStop[w] = true
	}
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// plainWords cuts folded text into words.
func plainWords(text string) []string {
	var words []string
	spans := plainWord.FindAllStringIndex(text, -1)
	for i := 0; i < len(spans); i++ {
		start, end := spans[i][0], spans[i][1]
		for i+1 < len(spans) {
			between := text[end:spans[i+1][0]]
			left, right := text[end-1], text[spans[i+1][0]]
			leftLetter, rightLetter := !isDigit(left) && left != '_', !isDigit(right) && right != '_'
			joinsLetters := strings.Contains(".'’:", between) && leftLetter && rightLetter
			joinsDigits := strings.Contains(".,;'’", between) && isDigit(left) && isDigit(right)
			if len([]rune(between)) != 1 || !joinsLetters && !joinsDigits {
				break
			}
			i++
			end = spans[i][1]
		}
		words = append(words, text[start:end])
	}
	return words
}

func plainTerms(text string) []string {
	var terms []string
	for _, w := range plainWords(strings.ToLower(norm.NFKC.String(text))) {
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		if w == "" || plainStop[w] {
			continue
		}
		if !strings.ContainsAny(w, "0123456789") {
			w = english.Stem(w, true)
		}
		terms = append(terms, w)
	}
	return terms
}

func (plainAnalysis) Append(dst []analysis.Token, text string) []analysis.Token {
	for i, term := range plainTerms(text) {
		dst = append(dst, analysis.Token{Term: term, Exact: term, Kind: analysis.Word, Position: i, Width: 1})
	}
	return dst
}

// expectedQuery is one line of fusion-expected.jsonl.
type expectedQuery struct {
	Query    string         `json:"query"`
	Terms    map[string]int `json:"terms"`
	MaxScore float64        `json:"max_score"`
	Top      []struct {
		Doc      string  `json:"doc"`
		BM25     float64 `json:"bm25"`
		Coverage float64 `json:"coverage"`
	} `json:"top"`
}

// TestFusionExpected reproduces the lexical columns of the shared reference to
// the last digit that it gives.
func TestFusionExpected(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 5,183 abstracts")
	}
	expected := readLines[expectedQuery](t, sharedFile(t, "fusion-expected.jsonl"))
	f := newFakeStore()
	for _, d := range readLines[corpusLine](t, sharedFile(t, "scifact", "corpus.jsonl")) {
		f.rules[d.ID] = store.Rule{ID: d.ID, Version: 1, Text: d.Title + " " + d.Text}
	}
	m := open(f, plainAnalysis{}, Options{})
	defer m.Close()
	view := acquire(t, m).Rules.View(0)
	rows := map[string]int{}
	for item := range view.Items() {
		rows[view.ID(item)], _ = view.RowsOf(item)
	}
	checked := 0
	for _, want := range expected {
		var terms []QueryTerm
		maxScore := 0.0
		for _, term := range plainTerms(want.Query) {
			maxScore += view.IDF(term)
			terms = append(terms, QueryTerm{term, 1})
		}
		for _, q := range terms {
			if want.Terms[q.Term] == 0 {
				t.Errorf("%q: term %q is not expected", want.Query, q.Term)
			}
		}
		scores := make([]float64, view.Rows())
		view.Score(terms, scores, make([]float64, view.Rows()))
		near := func(what string, got, want float64) {
			if math.Abs(got-want) > 0.00005001 {
				t.Errorf("%s: %.6f, want %.4f", what, got, want)
			}
		}
		near(want.Query+": max score", maxScore, want.MaxScore)
		for _, d := range want.Top {
			row, ok := rows[d.Doc]
			if !ok {
				t.Fatalf("no document %q", d.Doc)
			}
			near(want.Query+": bm25 of "+d.Doc, scores[row], d.BM25)
			near(want.Query+": coverage of "+d.Doc, scores[row]/maxScore, d.Coverage)
			checked++
		}
	}
	if checked != 100 {
		t.Errorf("%d documents checked, want 100", checked)
	}
}
