package embedding

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tinyPack is a pack to take apart: one layer, one head of 32 components, ten
// words, random weights.
type tinyPack struct {
	header header
	data   []byte
}

func newTinyPack(float bool) *tinyPack {
	r := rand.New(rand.NewPCG(7, 8))
	p := &tinyPack{}
	h := &p.header
	h.Format, h.Version, h.Name = "wmodel", 1, "tiny"
	a := &h.Architecture
	a.Type, a.Layers, a.Hidden, a.Heads, a.FeedForward, a.Positions = "bert", 1, 32, 1, 64, 8
	a.Activation, a.LayerNormEpsilon = "gelu_erf", 1e-12
	t := &h.Tokenizer
	t.Type, t.Lowercase, t.StripAccents, t.SplitIdeographs, t.MaxWordCharacters = "wordpiece", true, true, true, 10
	t.Unknown, t.Begin, t.End = "[UNK]", "[CLS]", "[SEP]"
	h.Pooling, h.Normalize, h.MaxTokens = "mean", true, 8

	vocabulary := "[UNK]\n[CLS]\n[SEP]\na\nb\nc\n##a\n##b\nno\nyes\n"
	a.Vocabulary = strings.Count(vocabulary, "\n")
	p.add("vocab", "u8", []byte(vocabulary), int64(len(vocabulary)))
	floats := func(name string, shape ...int64) {
		n := int64(1)
		for _, s := range shape {
			n *= s
		}
		var b []byte
		for range n {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(r.NormFloat64()/8)))
		}
		p.add(name, "f32", b, shape...)
	}
	matrix := func(name string, rows, columns int64, outlier int64) {
		if float {
			floats(name, rows, columns)
			return
		}
		b := make([]byte, rows*columns)
		for i := range b {
			if int64(i)%columns != outlier {
				b[i] = byte(r.IntN(255) - 127)
			}
		}
		p.add(name, "i8", b, rows, columns)
		floats(name+"_scale", rows)
		if outlier >= 0 {
			p.add(name+"_columns", "i32", binary.LittleEndian.AppendUint32(nil, uint32(outlier)), 1)
			floats(name+"_column_values", 1, rows)
		}
	}
	norm := func(name string) {
		floats(name+".weight", 32)
		floats(name+".bias", 32)
	}
	matrix("embeddings.word_embeddings.weight", int64(a.Vocabulary), 32, -1)
	floats("embeddings.position_embeddings.weight", 8, 32)
	floats("embeddings.token_type_embeddings.weight", 2, 32)
	norm("embeddings.LayerNorm")
	for _, m := range []struct {
		name     string
		out, in  int64
		outlier  int64
		withNorm string
	}{
		{"attention.self.query", 32, 32, 3, ""},
		{"attention.self.key", 32, 32, 3, ""},
		{"attention.self.value", 32, 32, 3, ""},
		{"attention.output.dense", 32, 32, -1, "attention.output.LayerNorm"},
		{"intermediate.dense", 64, 32, 9, ""},
		{"output.dense", 32, 64, 63, "output.LayerNorm"},
	} {
		matrix("encoder.layer.0."+m.name+".weight", m.out, m.in, m.outlier)
		floats("encoder.layer.0."+m.name+".bias", m.out)
		if m.withNorm != "" {
			norm("encoder.layer.0." + m.withNorm)
		}
	}
	return p
}

func (p *tinyPack) add(name, dtype string, b []byte, shape ...int64) {
	sum := sha256.Sum256(b)
	p.header.Tensors = append(p.header.Tensors, tensorEntry{
		Name: name, Type: dtype, Shape: shape,
		Offset: int64(len(p.data)), Bytes: int64(len(b)), SHA256: hex.EncodeToString(sum[:]),
	})
	p.data = append(p.data, b...)
	p.data = append(p.data, make([]byte, -len(b)&(packAlignment-1))...)
}

func (p *tinyPack) entry(name string) *tensorEntry {
	i := slices.IndexFunc(p.header.Tensors, func(e tensorEntry) bool { return e.Name == name })
	return &p.header.Tensors[i]
}

// tensor returns the bytes of a tensor, to be changed in place.
func (p *tinyPack) tensor(name string) []byte {
	e := p.entry(name)
	return p.data[e.Offset : e.Offset+e.Bytes]
}

// file returns the pack with the checksums of what it holds now.
func (p *tinyPack) file() []byte {
	for i := range p.header.Tensors {
		e := &p.header.Tensors[i]
		if e.Offset >= 0 && e.Bytes >= 0 && e.Bytes <= int64(len(p.data))-e.Offset {
			sum := sha256.Sum256(p.data[e.Offset : e.Offset+e.Bytes])
			e.SHA256 = hex.EncodeToString(sum[:])
		}
	}
	sum := sha256.Sum256(p.data)
	p.header.DataSHA256, p.header.DataBytes = hex.EncodeToString(sum[:]), int64(len(p.data))
	return p.frame()
}

// frame returns the pack as its header is.
func (p *tinyPack) frame() []byte {
	h, err := json.Marshal(p.header)
	if err != nil {
		panic(err)
	}
	h = append(h, bytes.Repeat([]byte(" "), -(16+len(h))&(packAlignment-1))...)
	file := binary.LittleEndian.AppendUint64([]byte(packMagic), uint64(len(h)))
	return append(append(file, h...), p.data...)
}

func TestTinyPack(t *testing.T) {
	for _, float := range []bool{false, true} {
		e, err := open(newTinyPack(float).file(), Options{})
		if err != nil {
			t.Fatalf("float %t: %v", float, err)
		}
		v, err := e.EmbedQuery(context.Background(), "no yes ab")
		if err != nil || len(v) != 32 || math.Abs(cosine(v, v)-1) > 1e-6 {
			t.Errorf("float %t: EmbedQuery = %v, %v", float, v, err)
		}
		if got, want := e.Format(), map[bool]Format{false: FormatInt8, true: FormatFloat32}[float]; got != want {
			t.Errorf("float %t: Format() = %q, want %q", float, got, want)
		}
	}
	if _, err := open(newTinyPack(true).file(), Options{Format: FormatInt8}); !errors.Is(err, ErrUnsupportedPack) {
		t.Errorf("float32 weights in int8: error %v, want %v", err, ErrUnsupportedPack)
	}
	if _, err := open(newTinyPack(false).file(), Options{Format: "int4"}); !errors.Is(err, ErrUnsupportedPack) {
		t.Errorf("format int4: error %v, want %v", err, ErrUnsupportedPack)
	}
	if _, err := open(newTinyPack(false).file(), Options{Kernels: "abacus"}); !errors.Is(err, ErrUnsupportedKernels) {
		t.Errorf("kernels abacus: error %v, want %v", err, ErrUnsupportedKernels)
	}
}

// TestDamagedPack changes one thing at a time.
func TestDamagedPack(t *testing.T) {
	const query = "encoder.layer.0.attention.self.query.weight"
	for name, c := range map[string]struct {
		want   error
		damage func(p *tinyPack)
	}{
		"other format":          {ErrUnsupportedPack, func(p *tinyPack) { p.header.Format = "gguf" }},
		"newer version":         {ErrUnsupportedPack, func(p *tinyPack) { p.header.Version = 2 }},
		"other architecture":    {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.Type = "t5" }},
		"other activation":      {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.Activation = "relu" }},
		"no layers":             {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.Layers = 0 }},
		"more layers":           {ErrCorruptPack, func(p *tinyPack) { p.header.Architecture.Layers = 2 }},
		"no heads":              {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.Heads = 0 }},
		"heads that do not fit": {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.Heads = 2 }},
		"huge hidden":           {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.Hidden = 1 << 30 }},
		"negative hidden":       {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.Hidden = -32 }},
		"odd feed-forward":      {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.FeedForward = 63 }},
		"other feed-forward":    {ErrCorruptPack, func(p *tinyPack) { p.header.Architecture.FeedForward = 96 }},
		"more words":            {ErrCorruptPack, func(p *tinyPack) { p.header.Architecture.Vocabulary = 11 }},
		"fewer positions":       {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.Positions = 7 }},
		"no epsilon":            {ErrUnsupportedPack, func(p *tinyPack) { p.header.Architecture.LayerNormEpsilon = 0 }},
		"cased tokenizer":       {ErrUnsupportedPack, func(p *tinyPack) { p.header.Tokenizer.Lowercase = false }},
		"unknown special token": {ErrCorruptPack, func(p *tinyPack) { p.header.Tokenizer.End = "</s>" }},
		"other pooling":         {ErrUnsupportedPack, func(p *tinyPack) { p.header.Pooling = "max" }},
		"not normalised":        {ErrUnsupportedPack, func(p *tinyPack) { p.header.Normalize = false }},
		"no tokens":             {ErrUnsupportedPack, func(p *tinyPack) { p.header.MaxTokens = 2 }},
		"tensor missing":        {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Name = "other" }},
		"tensor twice":          {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Name = "vocab" }},
		"unknown type":          {ErrUnsupportedPack, func(p *tinyPack) { p.entry(query).Type = "f16" }},
		"other type":            {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Type = "u8" }},
		"transposed":            {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Shape = []int64{1024} }},
		"negative shape":        {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Shape = []int64{-32, -32} }},
		"overflowing shape":     {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Shape = []int64{1 << 32, 1 << 32, 1 << 32} }},
		"shorter shape":         {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Shape = []int64{31, 32} }},
		"negative offset":       {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Offset = -64 }},
		"overlapping":           {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Offset -= 64 }},
		"huge offset":           {ErrCorruptPack, func(p *tinyPack) { p.entry(query).Offset = math.MaxInt64 - 100 }},
		"data behind the end":   {ErrCorruptPack, func(p *tinyPack) { p.data = append(p.data, make([]byte, 64)...) }},
		"something in a gap":    {ErrCorruptPack, func(p *tinyPack) { e := p.entry("vocab"); p.data[e.Offset+e.Bytes] = 1 }},
		"infinite weight":       {ErrCorruptPack, func(p *tinyPack) { copy(p.tensor(query+"_scale"), "\x00\x00\x80\x7f") }},
		"not a number":          {ErrCorruptPack, func(p *tinyPack) { copy(p.tensor("embeddings.LayerNorm.bias"), "\x01\x00\xc0\xff") }},
		"column beyond the row": {ErrCorruptPack, func(p *tinyPack) { p.tensor(query + "_columns")[0] = 32 }},
		"negative column":       {ErrCorruptPack, func(p *tinyPack) { p.tensor(query + "_columns")[3] = 0x80 }},
		"column that is not 0":  {ErrCorruptPack, func(p *tinyPack) { p.tensor(query + "_columns")[0] = 4 }},
		"columns that differ":   {ErrUnsupportedPack, func(p *tinyPack) { p.entry(query + "_columns").Name = "other" }},
		"word twice": {ErrCorruptPack, func(p *tinyPack) {
			copy(p.tensor("vocab"), bytes.Replace(p.tensor("vocab"), []byte("\nb\n"), []byte("\na\n"), 1))
		}},
		"last word without end":  {ErrCorruptPack, func(p *tinyPack) { v := p.tensor("vocab"); v[len(v)-1] = 's' }},
		"checksum of other form": {ErrCorruptPack, func(p *tinyPack) { p.header.DataSHA256 = "zz" }},
	} {
		p := newTinyPack(false)
		p.file()
		c.damage(p)
		file := p.frame()
		if p.header.DataSHA256 != "zz" {
			file = p.file()
		}
		if _, err := open(file, Options{}); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

// TestDamagedBytes cuts a pack short at every length and changes every byte.
func TestDamagedBytes(t *testing.T) {
	file := newTinyPack(false).file()
	header := len(file) - len(newTinyPack(false).data)
	for n := range file {
		if n > 16 && n%61 != 0 {
			continue
		}
		if _, err := open(file[:n], Options{}); !errors.Is(err, ErrCorruptPack) {
			t.Fatalf("first %d of %d bytes: error %v, want %v", n, len(file), err, ErrCorruptPack)
		}
	}
	for i := range file {
		damaged := bytes.Clone(file)
		damaged[i] ^= 0x11
		if i >= header {
			if i%13 != 0 {
				continue
			}
			if _, err := open(damaged, Options{}); !errors.Is(err, ErrCorruptPack) {
				t.Fatalf("byte %d of the data changed: error %v, want %v", i-header, err, ErrCorruptPack)
			}
			continue
		}
		// A changed header may still be a header, of another name for example.
		e, err := open(damaged, Options{})
		if err != nil {
			if !errors.Is(err, ErrCorruptPack) && !errors.Is(err, ErrUnsupportedPack) {
				t.Fatalf("byte %d of the header changed: error %v is neither %v nor %v", i, err, ErrCorruptPack, ErrUnsupportedPack)
			}
			continue
		}
		if _, err := e.EmbedQuery(context.Background(), "no yes"); err != nil {
			t.Fatalf("byte %d of the header changed: %v", i, err)
		}
	}
}

func TestVerifyDefaultPack(t *testing.T) {
	p, err := parsePack(defaultPack)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.verify(); err != nil {
		t.Error(err)
	}
	const want = "8f9de9cf69acb95bc0693235c0cbf652206cb8835546cfc35110c367c12e7a5d"
	if sum := sha256.Sum256(defaultPack); hex.EncodeToString(sum[:]) != want {
		t.Errorf("the pack in the binary has SHA-256 %x, want %s", sum, want)
	}
}

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.wmodel")
	if _, err := Open(path, Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Open of no file: error %v, want %v", err, os.ErrNotExist)
	}
	p := newTinyPack(false)
	p.header.QueryPrefix, p.header.PassagePrefix, p.header.Pooling = "yes", "no", "cls"
	if err := os.WriteFile(path, p.file(), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := e.ModelID(), "tiny/int8.1/"+p.header.DataSHA256[:12]; got != want {
		t.Errorf("ModelID() = %q, want %q", got, want)
	}
	ctx := context.Background()
	query, err := e.EmbedQuery(ctx, " a")
	if err != nil {
		t.Fatal(err)
	}
	passages, err := e.EmbedPassages(ctx, []string{" a", " b"})
	if err != nil {
		t.Fatal(err)
	}
	// "yes a" as a question and "no a" as a passage are different texts.
	if slices.Equal(query, passages[0]) || slices.Equal(passages[0], passages[1]) {
		t.Errorf("EmbedQuery and EmbedPassages ignore the prefixes, or all texts are one: %v, %v", query[:4], passages[0][:4])
	}
	if err := os.WriteFile(path, append(p.file(), 0), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); !errors.Is(err, ErrCorruptPack) || !strings.Contains(err.Error(), path) {
		t.Errorf("Open of a damaged pack: error %v, want %v and the path", err, ErrCorruptPack)
	}
}

// FuzzPack opens anything, checksums aside, and embeds with what opens.
func FuzzPack(f *testing.F) {
	f.Add(newTinyPack(false).file())
	f.Add(newTinyPack(true).file())
	f.Add([]byte(packMagic))
	f.Fuzz(func(t *testing.T, file []byte) {
		p, err := parsePack(file)
		if err != nil {
			return
		}
		e, err := newEncoder(p, Options{})
		if err != nil {
			return
		}
		if v, err := e.EmbedQuery(context.Background(), "no ab yes"); err != nil || len(v) != e.Dimension() {
			t.Errorf("EmbedQuery gives %d components, error %v, want %d", len(v), err, e.Dimension())
		}
	})
}
