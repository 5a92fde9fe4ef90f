package conflict

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// tokenKind tells words from numbers and marks.
type tokenKind uint8

const (
	kindWord   tokenKind = iota
	kindNumber           // starts with a digit
	kindMark             // one character of punctuation or a symbol
)

// token is a word, a number or a mark of a text.
type token struct {
	text       string // as written
	word       string // lower case, in American spelling, without possessive
	stem       string
	start, end int // bytes in the text
	kind       tokenKind
	joined     bool // no space before it
	capital    bool // starts with an upper case letter
	capitals   bool // two upper case letters or more, none lower
	possessive bool
	means      concept // what it stands for, zero for function words
	inside     bool    // not the first word of an entry of several
	act        concept // the act it names, or zero
	form       verbForm
}

// tokenize cuts a text. Words of scripts without spaces come out whole: they
// carry no cue that this package knows.
func tokenize(text string, l *lexicon) []token {
	tokens := make([]token, 0, len(text)/5+4)
	for i := 0; i < len(text) && len(tokens) < MaxTokens; {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError:
			i += size
			continue
		case isDigit(r):
			end := numberEnd(text, i)
			if name := wordEnd(text, end); name > end+2 && !l.endsNumber(strings.ToLower(text[end:name])) {
				tokens = append(tokens, newWord(text, i, name, l)) // "1Password"
				i = name
				continue
			}
			tokens = append(tokens, token{text: text[i:end], word: text[i:end], start: i, end: end, kind: kindNumber})
			i = end
		case unicode.IsLetter(r):
			end := wordEnd(text, i)
			tokens = append(tokens, newWord(text, i, end, l))
			i = end
		default:
			tokens = append(tokens, token{text: text[i : i+size], word: text[i : i+size], start: i, end: i + size, kind: kindMark})
			i += size
		}
		if n := len(tokens); n > 1 {
			tokens[n-1].joined = tokens[n-2].end == tokens[n-1].start
		}
	}
	return tokens
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

// endsNumber tells whether letters may stand behind digits without a space: a
// unit, an ordinal ending, a magnitude.
func (l *lexicon) endsNumber(w string) bool {
	_, isUnit := l.units[w]
	return isUnit || magnitudes[w] > 0 || len(w) <= 2
}

// numberEnd returns where the number that starts at i ends: digits with inner
// separators.
func numberEnd(text string, i int) int {
	for i < len(text) {
		switch c := text[i]; {
		case c >= '0' && c <= '9':
			i++
		case (c == ',' || c == '.' || c == ':') && i+1 < len(text) && text[i+1] >= '0' && text[i+1] <= '9':
			i += 2
		default:
			return i
		}
	}
	return i
}

// joinedPrefixes are cut off by a hyphen but belong to their word.
var joinedPrefixes = map[string]bool{"e": true, "co": true, "non": true, "re": true, "pre": true, "anti": true, "sub": true, "multi": true, "un": true, "inter": true, "semi": true}

// wordEnd returns where the word that starts at i ends: letters, digits after
// letters, inner apostrophes, and the hyphen of a prefix.
func wordEnd(text string, start int) int {
	i := start
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if unicode.IsLetter(r) || unicode.IsMark(r) || isDigit(r) || r == '_' {
			i += size
			continue
		}
		if r != '\'' && r != '’' && r != '-' || i+size >= len(text) {
			return i
		}
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		if !unicode.IsLetter(next) || r == '-' && !joinedPrefixes[strings.ToLower(text[start:i])] {
			return i
		}
		i += size
	}
	return i
}

func newWord(text string, start, end int, l *lexicon) token {
	t := token{text: text[start:end], start: start, end: end}
	upper, lower := 0, 0
	for i, r := range t.text {
		if unicode.IsUpper(r) {
			upper++
			t.capital = t.capital || i == 0
		} else if unicode.IsLower(r) {
			lower++
		}
	}
	t.capitals = upper >= 2 && lower == 0
	w := strings.ToLower(t.text)
	w = strings.ReplaceAll(w, "’", "'")
	if s, ok := strings.CutSuffix(w, "'s"); ok && len(s) > 1 {
		w, t.possessive = s, true
	}
	w = strings.ReplaceAll(w, "-", "")
	t.form = l.verbs[w]
	base := w
	if lemma, ok := l.lemmas[w]; ok {
		base = lemma
	}
	t.word = w
	t.stem = stem(american(base))
	return t
}

// stem returns the Snowball stem of an English word; words with other letters
// are their own stem.
func stem(w string) string {
	if len(w) < 3 || len(w) > maxWord {
		return w
	}
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	return english.Stem(w, true)
}

// britishEndings are spellings of word parts that Britain and America write
// differently and the stemmer keeps apart.
var britishEndings = [...][2]string{{"isation", "ization"}, {"ising", "izing"}, {"ised", "ized"}, {"ises", "izes"}, {"ise", "ize"}, {"yse", "yze"}, {"ysed", "yzed"}, {"ysing", "yzing"}}

// alwaysISE are words on -ise that America writes alike.
var alwaysISE = map[string]bool{"advise": true, "exercise": true, "supervise": true, "revise": true, "otherwise": true, "promise": true, "raise": true, "rise": true, "surprise": true, "compromise": true, "premise": true, "enterprise": true, "expertise": true, "franchise": true, "merchandise": true, "precise": true, "noise": true, "arise": true, "disguise": true, "wise": true, "likewise": true, "concise": true, "improvise": true, "televise": true, "excise": true, "devise": true, "praise": true, "appraise": true}

var britishWords = map[string]string{"centre": "center", "children": "child", "men": "man", "women": "woman", "centres": "centers", "colour": "color", "licence": "license", "licences": "licenses", "programme": "program", "programmes": "programs", "cheque": "check", "cheques": "checks", "catalogue": "catalog", "labour": "labor", "fulfil": "fulfill", "enrol": "enroll", "metre": "meter", "metres": "meters", "litre": "liter", "litres": "liters", "tonne": "ton", "tyre": "tire", "tyres": "tires", "grey": "gray", "defence": "defense", "behaviour": "behavior", "travelling": "traveling", "travelled": "traveled", "traveller": "traveler", "travellers": "travelers", "labelled": "labeled", "labelling": "labeling", "cancelled": "canceled", "cancelling": "canceling", "analyse": "analyze", "organisation": "organization", "neighbour": "neighbor", "mould": "mold", "storey": "story", "practise": "practice", "enquiry": "inquiry", "enquiries": "inquiries", "instalment": "installment"}

// american returns the American spelling of a word.
func american(w string) string {
	if a, ok := britishWords[w]; ok {
		return a
	}
	if len(w) < 7 {
		return w
	}
	for _, e := range britishEndings {
		root, ok := strings.CutSuffix(w, e[0])
		if !ok {
			continue
		}
		if strings.HasPrefix(e[0], "is") && (alwaysISE[root+"ise"] || len(root) < 3) {
			return w
		}
		return root + e[1]
	}
	return w
}
