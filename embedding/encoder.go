package embedding

import (
	"bytes"
	_ "embed" // for the weights
	"fmt"
	"math"
	"os"
	"runtime"
	"sync"
)

// Format is the number format of the dense layers.
type Format string

const (
	// FormatInt8 is the served format: int8 weights, activations rounded to 8
	// bits (12 for models whose vector is that of the first token), and a few
	// columns in float32. It is the same to the bit on every processor.
	FormatInt8 Format = "int8"

	// FormatFloat32 computes in float32. With a pack of int8 weights it uses
	// what they stand for; with a float32 pack it is the reference that the
	// served format is judged by. Its last bits depend on the kernels.
	FormatFloat32 Format = "float32"
)

// int8Revision is part of the model id; raise it whenever the arithmetic of
// FormatInt8 changes so that stored vectors are computed anew.
const int8Revision = 1

const (
	poolMean  = "mean"
	poolFirst = "cls"
)

//go:embed models/all-minilm-l6-v2.int8.wmodel
var defaultPack []byte

// Options say how an Encoder works. The zero value is what the daemon serves.
type Options struct {
	// Format is the number format; "" means FormatInt8, or FormatFloat32 when
	// the pack holds float32 weights.
	Format Format

	// Kernels is one of Kernels(); "" means the fastest.
	Kernels string

	// Workers is how many goroutines EmbedPassages may use; 0 means
	// runtime.GOMAXPROCS at the time of the call to New or Open.
	Workers int
}

// Encoder is the Embedder that runs a model in the process. It is safe for
// concurrent use.
type Encoder struct {
	header    header
	id        string
	format    Format
	kernels   string
	workers   int
	tokenizer *tokenizer
	word      table
	position  []float32
	network   network
	scratch   sync.Pool // of *scratch
}

var _ Embedder = (*Encoder)(nil)

// network runs the layers of a model on the embedded tokens of some texts, in
// place. x holds a row for each token, lengths the number of tokens of each text.
type network interface {
	run(s *scratch, x []float32, lengths []int)
}

// scratch is the working memory of one run.
type scratch struct {
	x       []float32
	lengths []int
	int8    int8Scratch
	float   floatScratch
}

// New returns an encoder for the model in the binary, all-MiniLM-L6-v2. It does
// not verify the checksum of the weights, since they came with the program.
func New(o Options) (*Encoder, error) {
	p, err := parsePack(defaultPack)
	if err != nil {
		return nil, err
	}
	return newEncoder(p, o)
}

// Open returns an encoder for the pack in a file and verifies its checksums. The
// file is read whole and not needed afterwards.
func Open(path string, o Options) (*Encoder, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	e, err := open(file, o)
	if err != nil {
		return nil, fmt.Errorf("open model pack %q: %w", path, err)
	}
	// Only the word table still refers to the file.
	e.word.rows = bytes.Clone(e.word.rows)
	return e, nil
}

func open(file []byte, o Options) (*Encoder, error) {
	p, err := parsePack(file)
	if err != nil {
		return nil, err
	}
	if err := p.verify(); err != nil {
		return nil, err
	}
	return newEncoder(p, o)
}

func newEncoder(p *pack, o Options) (*Encoder, error) {
	k, err := findKernels(o.Kernels)
	if err != nil {
		return nil, err
	}
	w, err := newWeights(p)
	if err != nil {
		return nil, err
	}
	t, err := newTokenizer(w.vocabulary, &p.header)
	if err != nil {
		return nil, err
	}
	e := &Encoder{
		header: p.header, format: o.Format, kernels: k.name, workers: o.Workers,
		tokenizer: t, word: w.word, position: w.position,
	}
	e.header.Tensors = nil
	e.scratch.New = func() any { return new(scratch) }
	if e.workers <= 0 {
		e.workers = runtime.GOMAXPROCS(0)
	}
	if e.format == "" {
		e.format = FormatInt8
		if w.isFloat() {
			e.format = FormatFloat32
		}
	}
	name := string(e.format)
	switch {
	case e.format == FormatFloat32:
		e.network = newFloatNetwork(&p.header, w, k)
	case e.format == FormatInt8 && !w.isFloat():
		name = fmt.Sprintf("%s.%d", e.format, int8Revision)
		if e.network, err = newInt8Network(&p.header, w, k); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("%w: format %q for float32 weights: %t", ErrUnsupportedPack, e.format, w.isFloat())
	}
	e.id = fmt.Sprintf("%s/%s/%s", p.Name, name, p.DataSHA256[:12])
	return e, nil
}

// ModelID implements Embedder: name, format and the start of the checksum of
// the weights, such as "all-minilm-l6-v2/int8.1/ddb5489dc75e".
func (e *Encoder) ModelID() string { return e.id }

// Dimension implements Embedder.
func (e *Encoder) Dimension() int { return e.header.Architecture.Hidden }

// MaxTokens implements Embedder.
func (e *Encoder) MaxTokens() int { return e.header.MaxTokens }

// Kernels returns the name of the kernel set in use.
func (e *Encoder) Kernels() string { return e.kernels }

// Format returns the number format in use.
func (e *Encoder) Format() Format { return e.format }

// CountTokens implements Embedder.
func (e *Encoder) CountTokens(text string) int { return e.tokenizer.count(text) }

// Tokens implements Embedder.
func (e *Encoder) Tokens(text string) []int32 { return e.tokenizer.pieces(text) }

// Cut implements Embedder.
func (e *Encoder) Cut(text string, pieces int) int { return e.tokenizer.cut(text, pieces) }

// encode writes the vectors of texts, given as token ids.
func (e *Encoder) encode(vectors [][]float32, texts [][]int32) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	hidden := e.Dimension()
	s.lengths = s.lengths[:0]
	rows := 0
	for _, ids := range texts {
		s.lengths = append(s.lengths, len(ids))
		rows += len(ids)
	}
	s.x = grow(s.x, rows*hidden)
	x := s.x
	for _, ids := range texts {
		for i, id := range ids {
			e.word.row(x[:hidden], int(id))
			for j, v := range e.position[i*hidden : (i+1)*hidden] {
				x[j] += v
			}
			x = x[hidden:]
		}
	}
	e.network.run(s, s.x, s.lengths)
	x = s.x
	for i, tokens := range s.lengths {
		vectors[i] = make([]float32, hidden)
		if e.header.Pooling == poolFirst {
			copy(vectors[i], x)
		} else {
			for r := range tokens {
				for j, v := range x[r*hidden : (r+1)*hidden] {
					vectors[i][j] += v
				}
			}
		}
		normalize(vectors[i])
		x = x[tokens*hidden:]
	}
}

// row writes row i of the table to dst.
func (t *table) row(dst []float32, i int) {
	if t.floats != nil {
		copy(dst, t.floats[i*len(dst):])
		return
	}
	scale := t.scale[i]
	for j, b := range t.rows[i*len(dst) : (i+1)*len(dst)] {
		dst[j] = float32(scale * float32(int8(b)))
	}
}

// normalize gives v length 1. A mean divided by its length is a sum divided by
// its length, so pooling need not divide.
func normalize(v []float32) {
	square := 0.0
	for _, x := range v {
		square += float64(float64(x) * float64(x))
	}
	scale := float32(1 / math.Sqrt(square))
	for i := range v {
		v[i] *= scale
	}
}
