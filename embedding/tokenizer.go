package embedding

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// tokenizer is the "uncased" WordPiece tokenizer of BERT: words are split off
// (words.go), and each is spelled with the longest pieces of the vocabulary,
// from left to right. A word that cannot be spelled so, or is too long, is the
// one piece "unknown". Names of special tokens in a text are plain text.
type tokenizer struct {
	first, next         map[string]int32 // pieces that begin a word, that go on with one
	longest             int              // bytes of the longest piece
	unknown, begin, end int32
	maxWordCharacters   int
	maxTokens           int
}

// newTokenizer reads the vocabulary, one word a line; the number of a line is
// the id of its word.
func newTokenizer(vocabulary []byte, h *header) (*tokenizer, error) {
	lines := bytes.Count(vocabulary, []byte("\n"))
	if lines != h.Architecture.Vocabulary || !bytes.HasSuffix(vocabulary, []byte("\n")) {
		return nil, fmt.Errorf("%w: vocabulary of %d lines, header says %d", ErrCorruptPack, lines, h.Architecture.Vocabulary)
	}
	t := &tokenizer{
		first:             make(map[string]int32, lines),
		next:              make(map[string]int32, lines/4),
		maxWordCharacters: h.Tokenizer.MaxWordCharacters,
		maxTokens:         h.MaxTokens,
	}
	id := int32(0)
	for word := range strings.Lines(string(vocabulary)) {
		word = word[:len(word)-1]
		pieces := t.first
		if rest, ok := strings.CutPrefix(word, "##"); ok && rest != "" {
			word, pieces = rest, t.next
		}
		if _, ok := pieces[word]; ok {
			return nil, fmt.Errorf("%w: %q is in the vocabulary twice", ErrCorruptPack, word)
		}
		pieces[word] = id
		t.longest = max(t.longest, len(word))
		id++
	}
	for _, special := range []struct {
		id   *int32
		word string
	}{{&t.unknown, h.Tokenizer.Unknown}, {&t.begin, h.Tokenizer.Begin}, {&t.end, h.Tokenizer.End}} {
		id, ok := t.first[special.word]
		if !ok {
			return nil, fmt.Errorf("%w: special token %q is not in the vocabulary", ErrCorruptPack, special.word)
		}
		*special.id = id
	}
	return t, nil
}

// encode returns the ids that the model reads for text: the begin token, as
// many word pieces as maxTokens leaves room for, the end token.
func (t *tokenizer) encode(text string) []int32 {
	ids := append(make([]int32, 0, min(t.maxTokens, 2+len(text)/3)), t.begin)
	splitWords(text, t.maxWordCharacters, func(w word) bool {
		ids = t.spell(ids, w)
		return len(ids) < t.maxTokens-1
	})
	return append(ids[:min(len(ids), t.maxTokens-1)], t.end)
}

// pieces returns the word pieces of the whole text.
func (t *tokenizer) pieces(text string) []int32 {
	var ids []int32
	splitWords(text, t.maxWordCharacters, func(w word) bool {
		ids = t.spell(ids, w)
		return true
	})
	return ids
}

// count returns len(t.pieces(text)) without keeping them.
func (t *tokenizer) count(text string) int {
	n := 0
	var ids []int32
	splitWords(text, t.maxWordCharacters, func(w word) bool {
		ids = t.spell(ids[:0], w)
		n += len(ids)
		return true
	})
	return n
}

// cut implements Embedder.Cut.
func (t *tokenizer) cut(text string, pieces int) int {
	at, n := 0, 0
	var ids []int32
	whole := splitWords(text, t.maxWordCharacters, func(w word) bool {
		ids = t.spell(ids[:0], w)
		n += len(ids)
		if n > pieces && at > 0 {
			return false
		}
		at = w.end
		return n <= pieces
	})
	if whole {
		return len(text)
	}
	return at
}

// spell appends the pieces of one word to ids.
func (t *tokenizer) spell(ids []int32, w word) []int32 {
	if w.tooLong {
		return append(ids, t.unknown)
	}
	known := len(ids)
	pieces := t.first
	for rest := w.text; len(rest) > 0; pieces = t.next {
		n := min(len(rest), t.longest)
		for {
			if id, ok := pieces[string(rest[:n])]; ok {
				ids, rest = append(ids, id), rest[n:]
				break
			}
			n--
			for n > 0 && !utf8.RuneStart(rest[n]) {
				n--
			}
			if n <= 0 {
				return append(ids[:known], t.unknown)
			}
		}
	}
	return ids
}
