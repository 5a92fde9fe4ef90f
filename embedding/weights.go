package embedding

import "fmt"

// weights are the tensors of a model, by their part in it.
type weights struct {
	vocabulary     []byte
	word           table
	position       []float32 // [positions][hidden]
	tokenType      []float32 // [hidden], of type 0, the only one used
	embeddingsNorm layerNorm
	layers         []layerWeights
}

// layerWeights are the weights of one transformer layer.
type layerWeights struct {
	query, key, value, attentionOutput matrix
	attentionNorm                      layerNorm
	up, down                           matrix
	outputNorm                         layerNorm
}

// layerNorm is the gain and bias of a layer normalisation.
type layerNorm struct{ gain, bias []float32 }

// table is a matrix read row by row, as int8 with a scale for each row, or as
// float32.
type table struct {
	rows   []byte // int8 [n][width]
	scale  []float32
	floats []float32 // [n][width]; when set, the others are nil
}

// matrix is a dense layer, y = W·x + bias, quantised:
//
//	y[o] = bias[o] + scale[o]·Σ rows[o][i]·x[i] + Σ outlierValues[c][o]·x[outliers[c]]
//
// where rows is 0 in the outlier columns, or as float32.
type matrix struct {
	in, out       int
	bias          []float32
	rows          []byte // int8 [out][in]
	scale         []float32
	outliers      []int     // input columns that stay in float32
	outlierValues []float32 // [len(outliers)][out]
	floats        []float32 // [out][in]; when set, rows to outlierValues are nil
}

// newWeights reads all tensors of a pack and checks their types, shapes and
// values. Those of one byte an element stay where they are in the file; the
// rest is copied.
func newWeights(p *pack) (*weights, error) {
	vocabulary := p.entries["vocab"]
	r := reader{pack: p}
	a := &p.Architecture
	w := &weights{
		vocabulary:     r.bytes("vocab", "u8", int(vocabulary.Bytes)),
		word:           r.table("embeddings.word_embeddings.weight", a.Vocabulary, a.Hidden),
		position:       r.floats("embeddings.position_embeddings.weight", a.Positions, a.Hidden),
		tokenType:      r.floats("embeddings.token_type_embeddings.weight", 2, a.Hidden),
		embeddingsNorm: r.norm("embeddings.LayerNorm", a.Hidden),
	}
	for i := range a.Layers {
		if r.err != nil {
			return nil, r.err
		}
		layer := fmt.Sprintf("encoder.layer.%d.", i)
		w.layers = append(w.layers, layerWeights{
			query:           r.matrix(layer+"attention.self.query", a.Hidden, a.Hidden),
			key:             r.matrix(layer+"attention.self.key", a.Hidden, a.Hidden),
			value:           r.matrix(layer+"attention.self.value", a.Hidden, a.Hidden),
			attentionOutput: r.matrix(layer+"attention.output.dense", a.Hidden, a.Hidden),
			attentionNorm:   r.norm(layer+"attention.output.LayerNorm", a.Hidden),
			up:              r.matrix(layer+"intermediate.dense", a.Hidden, a.FeedForward),
			down:            r.matrix(layer+"output.dense", a.FeedForward, a.Hidden),
			outputNorm:      r.norm(layer+"output.LayerNorm", a.Hidden),
		})
	}
	if r.err != nil {
		return nil, r.err
	}
	w.tokenType = w.tokenType[:a.Hidden]
	return w, nil
}

// isFloat reports whether the weights are float32 throughout.
func (w *weights) isFloat() bool { return w.word.floats != nil }

// reader reads tensors of a pack and keeps the first error.
type reader struct {
	pack *pack
	err  error
}

func (r *reader) bytes(name, dtype string, shape ...int) []byte {
	return keep(r, func() ([]byte, error) { return r.pack.bytes(name, dtype, shape...) })
}

func (r *reader) floats(name string, shape ...int) []float32 {
	return keep(r, func() ([]float32, error) { return r.pack.floats(name, shape...) })
}

func (r *reader) indices(name string, n, limit int) []int {
	return keep(r, func() ([]int, error) { return r.pack.indices(name, n, limit) })
}

func keep[T any](r *reader, read func() (T, error)) (x T) {
	if r.err == nil {
		x, r.err = read()
	}
	return x
}

func (r *reader) norm(name string, n int) layerNorm {
	return layerNorm{gain: r.floats(name+".weight", n), bias: r.floats(name+".bias", n)}
}

// table reads a matrix of n rows whose type the word table decides: a pack is
// int8 throughout or float32 throughout.
func (r *reader) table(name string, n, width int) table {
	if r.isFloat() {
		return table{floats: r.floats(name, n, width)}
	}
	return table{rows: r.bytes(name, "i8", n, width), scale: r.floats(name+"_scale", n)}
}

func (r *reader) isFloat() bool {
	return r.pack.entries["embeddings.word_embeddings.weight"].Type == "f32"
}

func (r *reader) matrix(name string, in, out int) matrix {
	weight := name + ".weight"
	t := r.table(weight, out, in)
	m := matrix{
		in: in, out: out, bias: r.floats(name+".bias", out),
		rows: t.rows, scale: t.scale, floats: t.floats,
	}
	columns, ok := r.pack.entries[weight+"_columns"]
	if !ok || r.isFloat() || r.err != nil {
		return m
	}
	n := int(columns.Bytes / 4)
	m.outliers = r.indices(weight+"_columns", n, in)
	m.outlierValues = r.floats(weight+"_column_values", n, out)
	if r.err != nil {
		return m
	}
	for _, i := range m.outliers {
		for o := range out {
			if m.rows[o*in+i] != 0 {
				r.err = fmt.Errorf("%w: tensor %q is not 0 in column %d, which is kept in float32", ErrCorruptPack, weight, i)
				return m
			}
		}
	}
	return m
}
