package conflict

import (
	"embed"
	"hash/fnv"
	"strconv"
	"strings"
	"sync"
)

//go:embed lexicon/*.txt
var lexiconFiles embed.FS

// concept stands for all words that mean one thing: a line of acts.txt or
// things.txt, or the stem of a word that is in neither. It is a hash of the name,
// so that stored analyses survive lines that are added.
type concept uint32

// verbForm says which forms of a verb a word can be.
type verbForm uint8

const (
	formBase       verbForm = 1 << iota // approve
	formS                               // approves
	formParticiple                      // approved
	formIng                             // approving
)

// phrase is an entry of more than one word.
type phrase struct {
	rest  []string // stems after the first
	thing concept
	act   concept
}

// unit is a word of units.txt.
type unit struct {
	dimension string
	factor    float64
}

// lexicon is what the tables say, by stem unless it is told otherwise.
type lexicon struct {
	things    map[string]concept
	acts      map[string]concept
	weak      map[concept]bool    // things that say little
	phrases   map[string][]phrase // by the stem of the first word
	verbs     map[string]verbForm // by form as written
	lemmas    map[string]string   // irregular form to base
	antonyms  map[[2]concept]bool
	kin       map[[2]concept]bool
	contrasts map[concept][]contrast
	offices   map[string]bool // by word
	groups    map[concept]bool
	nounVerbs map[string]bool // by stem: the form on -s may be a noun
	units     map[string]unit // by word
}

// contrast is the place of a word in contrasts.txt.
type contrast struct {
	line    int
	value   bool // the line also stands for values
	heading bool // the line holds for headings as well
}

var loaded = sync.OnceValue(loadLexicon)

func conceptOf(name string) concept {
	h := fnv.New32a()
	h.Write([]byte(name))
	return concept(h.Sum32() | 1) // never zero: zero is no concept
}

func thingConcept(name string) concept { return conceptOf("thing:" + name) }
func actConcept(name string) concept   { return conceptOf("act:" + name) }
func wordConcept(stem string) concept  { return conceptOf("word:" + stem) }

func loadLexicon() *lexicon {
	l := &lexicon{
		things: map[string]concept{}, acts: map[string]concept{}, weak: map[concept]bool{}, phrases: map[string][]phrase{},
		verbs: map[string]verbForm{}, lemmas: map[string]string{}, antonyms: map[[2]concept]bool{}, kin: map[[2]concept]bool{},
		contrasts: map[concept][]contrast{}, offices: map[string]bool{}, groups: map[concept]bool{}, nounVerbs: map[string]bool{}, units: map[string]unit{},
	}
	for _, line := range lexiconLines("irregular.txt") {
		f := strings.Fields(line)
		l.addVerb(f[0])
		for _, form := range f[1:] {
			l.lemmas[form] = f[0]
			l.verbs[form] |= formParticiple
		}
		if len(f) == 1 {
			l.verbs[f[0]] |= formParticiple
		}
	}
	for _, line := range lexiconLines("acts.txt") {
		name, rest, _ := strings.Cut(line, ":")
		verbs, nouns, _ := strings.Cut(rest, "|")
		c := actConcept(name)
		for _, w := range strings.Fields(verbs) {
			l.addVerb(strings.Split(w, "_")[0])
			l.addAct(w, c)
		}
		for _, w := range strings.Fields(nouns) {
			l.addAct(w, c)
		}
	}
	for _, line := range lexiconLines("verbs.txt") {
		for _, w := range strings.Fields(line) {
			l.addVerb(w)
		}
	}
	for _, line := range lexiconLines("things.txt") {
		name, rest, _ := strings.Cut(line, ":")
		name, weak := strings.CutPrefix(name, "*")
		c := thingConcept(name)
		if weak {
			l.weak[c] = true
		}
		for _, w := range strings.Fields(rest) {
			l.addThing(w, c)
		}
	}
	pairs := func(file string, into map[[2]concept]bool) {
		for _, line := range lexiconLines(file) {
			f := strings.Fields(line)
			for _, other := range f[1:] {
				a, b := actConcept(f[0]), actConcept(other)
				into[[2]concept{a, b}], into[[2]concept{b, a}] = true, true
			}
		}
	}
	pairs("antonyms.txt", l.antonyms)
	pairs("kin.txt", l.kin)
	for i, line := range lexiconLines("contrasts.txt") {
		line, value := strings.CutPrefix(line, "*")
		line, heading := strings.CutPrefix(line, "+")
		for _, w := range strings.Fields(line) {
			c := l.conceptOfEntry(w)
			l.contrasts[c] = append(l.contrasts[c], contrast{i, value, heading})
		}
	}
	for _, line := range lexiconLines("roles.txt") {
		for _, w := range strings.Fields(line) {
			l.offices[w] = true
		}
	}
	for _, line := range lexiconLines("generic.txt") {
		for _, w := range strings.Fields(line) {
			l.groups[l.conceptOfEntry(w)] = true
		}
	}
	for _, line := range lexiconLines("nounverbs.txt") {
		for _, w := range strings.Fields(line) {
			l.nounVerbs[stem(american(w))] = true
		}
	}
	for _, line := range lexiconLines("units.txt") {
		f := strings.Fields(line)
		factor, err := strconv.ParseFloat(f[1], 64)
		if err != nil {
			panic("lexicon/units.txt: " + line) // the table is part of the program
		}
		for _, w := range f[2:] {
			l.units[w] = unit{f[0], factor}
		}
	}
	return l
}

func lexiconLines(file string) []string {
	text, err := lexiconFiles.ReadFile("lexicon/" + file)
	if err != nil {
		panic("lexicon/" + file + ": " + err.Error()) // it is embedded in the program
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' {
			lines = append(lines, line)
		}
	}
	return lines
}

// addVerb adds the regular forms of a verb.
func (l *lexicon) addVerb(base string) {
	base = strings.ReplaceAll(base, "-", "")
	for _, b := range spellings(base) {
		l.verbs[b] |= formBase
		l.verbs[thirdPerson(b)] |= formS
		for _, stem := range []string{b, b + b[len(b)-1:]} { // "submitted" doubles its last letter
			if stem != b && !doubles(b) {
				continue
			}
			l.verbs[past(stem)] |= formParticiple
			l.verbs[ing(stem)] |= formIng
		}
	}
}

func thirdPerson(b string) string {
	switch {
	case endsInConsonantY(b):
		return b[:len(b)-1] + "ies"
	case strings.HasSuffix(b, "s"), strings.HasSuffix(b, "x"), strings.HasSuffix(b, "z"), strings.HasSuffix(b, "ch"), strings.HasSuffix(b, "sh"), strings.HasSuffix(b, "o"):
		return b + "es"
	}
	return b + "s"
}

func past(b string) string {
	switch {
	case endsInConsonantY(b):
		return b[:len(b)-1] + "ied"
	case strings.HasSuffix(b, "e"):
		return b + "d"
	}
	return b + "ed"
}

func ing(b string) string {
	if strings.HasSuffix(b, "e") && !strings.HasSuffix(b, "ee") && !strings.HasSuffix(b, "ye") {
		b = b[:len(b)-1]
	}
	return b + "ing"
}

func endsInConsonantY(b string) bool {
	return len(b) > 2 && b[len(b)-1] == 'y' && !strings.ContainsRune("aeiou", rune(b[len(b)-2]))
}

// doubles tells whether a verb may double its last letter: consonant, vowel,
// consonant.
func doubles(b string) bool {
	n := len(b)
	return n >= 3 && strings.IndexByte("bdgklmnprtp", b[n-1]) >= 0 && strings.IndexByte("aeiou", b[n-2]) >= 0 && strings.IndexByte("aeiou", b[n-3]) < 0
}

// spellings returns a verb as written in Britain and in America.
func spellings(base string) []string {
	if s, ok := strings.CutSuffix(base, "ise"); ok && american(base) != base {
		return []string{base, s + "ize"}
	}
	if s, ok := strings.CutSuffix(base, "yse"); ok {
		return []string{base, s + "yze"}
	}
	return []string{base}
}

func (l *lexicon) addAct(entry string, c concept)   { l.add(entry, l.acts, 0, c) }
func (l *lexicon) addThing(entry string, c concept) { l.add(entry, l.things, c, 0) }

func (l *lexicon) add(entry string, into map[string]concept, thing, act concept) {
	stems := l.entryStems(entry)
	if len(stems) == 1 {
		if _, taken := into[stems[0]]; !taken {
			into[stems[0]] = thing | act
		}
		return
	}
	l.phrases[stems[0]] = append(l.phrases[stems[0]], phrase{stems[1:], thing, act})
}

// entryStems returns the stems of the words of an entry, cut like a text.
func (l *lexicon) entryStems(entry string) []string {
	var stems []string
	for _, t := range tokenize(strings.ReplaceAll(entry, "_", " "), l) {
		stems = append(stems, t.stem)
	}
	return stems
}

// conceptOfEntry returns the concept of an entry of another table.
func (l *lexicon) conceptOfEntry(entry string) concept {
	stems := l.entryStems(entry)
	if len(stems) == 1 {
		return l.conceptOfStem(stems[0])
	}
	for _, p := range l.phrases[stems[0]] {
		if strings.Join(p.rest, " ") == strings.Join(stems[1:], " ") {
			return p.thing | p.act
		}
	}
	return wordConcept(strings.Join(stems, ""))
}

// conceptOfStem returns what a stem stands for: its thing, else its act, else
// itself.
func (l *lexicon) conceptOfStem(stem string) concept {
	if c, ok := l.things[stem]; ok {
		return c
	}
	if c, ok := l.acts[stem]; ok {
		return c
	}
	return wordConcept(stem)
}
