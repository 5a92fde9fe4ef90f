package embedding

// int8Network runs the layers in the served format.
type int8Network struct {
	kernels        *kernelSet
	hidden, heads  int
	feedForward    int
	epsilon        float32
	tokenType      []float32
	embeddingsNorm layerNorm
	layers         []int8Layer
}

type int8Layer struct {
	queryKeyValue, attentionOutput, up, down dense
	attentionNorm, outputNorm                layerNorm
}

// chunkRows is how many tokens go through the dense layers together: as many
// as keep the activations in the second-level cache beside a panel of weights.
const chunkRows = 48

func newInt8Network(h *header, w *weights, k *kernelSet) (*int8Network, error) {
	a := &h.Architecture
	n := &int8Network{
		kernels: k,
		hidden:  a.Hidden, heads: a.Heads, feedForward: a.FeedForward,
		epsilon:   float32(a.LayerNormEpsilon),
		tokenType: w.tokenType, embeddingsNorm: w.embeddingsNorm,
		layers: make([]int8Layer, a.Layers),
	}
	steps := activationSteps(h.Pooling)
	for i := range w.layers {
		from, to := &w.layers[i], &n.layers[i]
		to.attentionNorm, to.outputNorm = from.attentionNorm, from.outputNorm
		for _, p := range []struct {
			to    *dense
			parts []matrix
		}{
			{&to.queryKeyValue, []matrix{from.query, from.key, from.value}},
			{&to.attentionOutput, []matrix{from.attentionOutput}},
			{&to.up, []matrix{from.up}},
			{&to.down, []matrix{from.down}},
		} {
			var err error
			if *p.to, err = packDense(k, steps, p.parts...); err != nil {
				return nil, err
			}
		}
	}
	return n, nil
}

// activationSteps says how finely activations are rounded. The mean of all
// tokens evens out the errors of each, and 8 bits are enough: on the reference
// texts of all-MiniLM-L6-v2 the least cosine with float32 is .9985, and .9989
// with 12 bits. The vector of the first token keeps its errors: .9973 and
// .9990 for bge-small-en-v1.5.
func activationSteps(pooling string) float32 {
	if pooling == poolFirst {
		return wordSteps
	}
	return byteSteps
}

// int8Scratch is the working memory of one run.
type int8Scratch struct {
	activations                           activations
	attention                             attention
	queryKeyValue, context, output, inner []float32
}

// run implements network. Everything but attention looks at one token at a
// time, so a token's result does not depend on how the tokens are cut in chunks.
func (n *int8Network) run(s *scratch, x []float32, lengths []int) {
	k, t := n.kernels, &s.int8
	rows := len(x) / n.hidden
	for r := range rows {
		k.addNorm(x[r*n.hidden:(r+1)*n.hidden], n.tokenType, n.embeddingsNorm.gain, n.embeddingsNorm.bias, n.epsilon)
	}
	t.queryKeyValue = grow(t.queryKeyValue, rows*3*n.hidden)
	t.context = grow(t.context, rows*n.hidden)
	for i := range n.layers {
		layer := &n.layers[i]
		for r, end := range blocks(rows, chunkRows) {
			t.activations.quantize(k, x[r*n.hidden:], end-r, &layer.queryKeyValue)
			layer.queryKeyValue.multiply(k, t.queryKeyValue[r*3*n.hidden:], &t.activations)
		}
		r := 0
		for _, tokens := range lengths {
			t.attention.attend(k, t.context[r*n.hidden:], t.queryKeyValue[r*3*n.hidden:], tokens, n.heads, n.hidden/n.heads)
			r += tokens
		}
		for r, end := range blocks(rows, chunkRows) {
			n.feed(t, layer, x[r*n.hidden:end*n.hidden], t.context[r*n.hidden:end*n.hidden], end-r)
		}
	}
}

// feed takes rows from the context that attention gave them to the end of the
// layer, in place of x.
func (n *int8Network) feed(t *int8Scratch, layer *int8Layer, x, context []float32, rows int) {
	k := n.kernels
	t.output = grow(t.output, rows*n.hidden)
	t.inner = grow(t.inner, rows*n.feedForward)

	t.activations.quantize(k, context, rows, &layer.attentionOutput)
	layer.attentionOutput.multiply(k, t.output, &t.activations)
	n.addNorm(t.output, x, &layer.attentionNorm, rows)

	t.activations.quantize(k, t.output, rows, &layer.up)
	layer.up.multiply(k, t.inner, &t.activations)
	k.gelu(t.inner)

	t.activations.quantize(k, t.inner, rows, &layer.down)
	layer.down.multiply(k, x, &t.activations)
	n.addNorm(x, t.output, &layer.outputNorm, rows)
}

func (n *int8Network) addNorm(x, residual []float32, norm *layerNorm, rows int) {
	for r := range rows {
		n.kernels.addNorm(x[r*n.hidden:(r+1)*n.hidden], residual[r*n.hidden:(r+1)*n.hidden], norm.gain, norm.bias, n.epsilon)
	}
}
