package embedding

import "math"

// floatNetwork runs the layers in float32. It is the reference that the served
// format is judged by: only its matrix products use kernels, everything else is
// the formula in float64.
type floatNetwork struct {
	kernels        *kernelSet
	hidden, heads  int
	feedForward    int
	epsilon        float64
	tokenType      []float32
	embeddingsNorm layerNorm
	layers         []floatLayer
}

type floatLayer struct {
	query, key, value, attentionOutput, up, down floatDense
	attentionNorm, outputNorm                    layerNorm
}

// floatDense is a layer of float32 weights in panels, [out/width][in][width].
type floatDense struct {
	in, out, width int
	panels, bias   []float32
}

func newFloatNetwork(h *header, w *weights, k *kernelSet) *floatNetwork {
	a := &h.Architecture
	n := &floatNetwork{
		kernels: k,
		hidden:  a.Hidden, heads: a.Heads, feedForward: a.FeedForward,
		epsilon:   a.LayerNormEpsilon,
		tokenType: w.tokenType, embeddingsNorm: w.embeddingsNorm,
	}
	for i := range w.layers {
		l := &w.layers[i]
		n.layers = append(n.layers, floatLayer{
			query: packFloatDense(k.width, l.query), key: packFloatDense(k.width, l.key), value: packFloatDense(k.width, l.value),
			attentionOutput: packFloatDense(k.width, l.attentionOutput),
			attentionNorm:   l.attentionNorm,
			up:              packFloatDense(k.width, l.up), down: packFloatDense(k.width, l.down),
			outputNorm: l.outputNorm,
		})
	}
	return n
}

// packFloatDense packs float32 weights, or what int8 weights stand for.
func packFloatDense(width int, m matrix) floatDense {
	d := floatDense{in: m.in, out: m.out, width: width, bias: m.bias, panels: make([]float32, m.in*m.out)}
	for o := range m.out {
		column := d.panels[o/width*m.in*width+o%width:]
		for i := range m.in {
			if m.floats != nil {
				column[i*width] = m.floats[o*m.in+i]
			} else {
				column[i*width] = m.scale[o] * float32(int8(m.rows[o*m.in+i]))
			}
		}
		for j, i := range m.outliers {
			column[i*width] = m.outlierValues[j*m.out+o]
		}
	}
	return d
}

func (d *floatDense) multiply(k *kernelSet, dst, x []float32, rows int) {
	multiplyFloats(k, dst, d.out, x, d.in, rows, d.panels, d.in, d.out, d.bias)
}

// multiplyFloats writes bias + a·panels for rows of n inputs and out outputs, a
// multiple of the panels' width.
func multiplyFloats(k *kernelSet, dst []float32, dstStride int, a []float32, aStride, rows int, panels []float32, n, out int, bias []float32) {
	for p, last := range blocks(out/k.width, max(1, panelBytes/(4*k.width*n))) {
		for r, end := range blocks(rows, len(k.multiplyFloat)-1) {
			k.multiplyFloat[end-r](dst[r*dstStride+p*k.width:], dstStride, a[r*aStride:], aStride,
				panels[p*k.width*n:last*k.width*n], n, last-p, bias[p*k.width:last*k.width])
		}
	}
}

// floatScratch is the working memory of one run.
type floatScratch struct {
	query, key, value, context, output, inner []float32
	panels, scores, zeros                     []float32
}

// run implements network.
func (n *floatNetwork) run(s *scratch, x []float32, lengths []int) {
	k, t := n.kernels, &s.float
	rows := len(x) / n.hidden
	for _, b := range []*[]float32{&t.query, &t.key, &t.value, &t.context, &t.output} {
		*b = grow(*b, len(x))
	}
	t.inner = grow(t.inner, rows*n.feedForward)
	for r := range rows {
		n.addNorm(x[r*n.hidden:(r+1)*n.hidden], n.tokenType, &n.embeddingsNorm)
	}
	for i := range n.layers {
		l := &n.layers[i]
		l.query.multiply(k, t.query, x, rows)
		l.key.multiply(k, t.key, x, rows)
		l.value.multiply(k, t.value, x, rows)
		r := 0
		for _, tokens := range lengths {
			for h := range n.heads {
				n.attend(t, r, tokens, h)
			}
			r += tokens
		}
		l.attentionOutput.multiply(k, t.output, t.context, rows)
		n.addNorm(t.output, x, &l.attentionNorm)
		l.up.multiply(k, t.inner, t.output, rows)
		for i, v := range t.inner {
			t.inner[i] = float32(float64(v) * (1 + math.Erf(float64(v)/math.Sqrt2)) / 2)
		}
		l.down.multiply(k, x, t.inner, rows)
		n.addNorm(x, t.output, &l.outputNorm)
	}
}

// attend computes one head of the text of so many tokens at row r.
func (n *floatNetwork) attend(t *floatScratch, r, tokens, h int) {
	k, head := n.kernels, n.hidden/n.heads
	at := r*n.hidden + h*head
	columns := (tokens + k.width - 1) / k.width * k.width
	t.zeros = grow(t.zeros, max(columns, head))
	clear(t.zeros)
	t.scores = grow(t.scores, tokens*columns)
	t.panels = grow(t.panels, columns*head)
	clear(t.panels)
	for i := range tokens {
		for j := range head {
			t.panels[(i/k.width*head+j)*k.width+i%k.width] = t.key[at+i*n.hidden+j]
		}
	}
	multiplyFloats(k, t.scores, columns, t.query[at:], n.hidden, tokens, t.panels, head, columns, t.zeros)
	for i := range tokens {
		softmax(t.scores[i*columns:i*columns+tokens], math.Sqrt(float64(head)))
	}
	for i := range tokens {
		for j := range head {
			t.panels[(j/k.width*tokens+i)*k.width+j%k.width] = t.value[at+i*n.hidden+j]
		}
	}
	multiplyFloats(k, t.context[at:], n.hidden, t.scores, columns, tokens, t.panels, tokens, head, t.zeros)
}

// softmax turns scores, divided by temperature, into probabilities.
func softmax(x []float32, temperature float64) {
	largest := math.Inf(-1)
	for _, v := range x {
		largest = max(largest, float64(v))
	}
	sum := 0.0
	for i, v := range x {
		e := math.Exp((float64(v) - largest) / temperature)
		sum += e
		x[i] = float32(e)
	}
	for i := range x {
		x[i] = float32(float64(x[i]) / sum)
	}
}

// addNorm adds residual to x and normalises each row.
func (n *floatNetwork) addNorm(x, residual []float32, norm *layerNorm) {
	for r := 0; r < len(x); r += n.hidden {
		row := x[r : r+n.hidden]
		mean, variance := 0.0, 0.0
		for i := range row {
			row[i] += residual[r+i]
			mean += float64(row[i])
		}
		mean /= float64(n.hidden)
		for _, v := range row {
			d := float64(v) - mean
			variance += d * d
		}
		scale := 1 / math.Sqrt(variance/float64(n.hidden)+n.epsilon)
		for i, v := range row {
			row[i] = float32((float64(v)-mean)*scale*float64(norm.gain[i]) + float64(norm.bias[i]))
		}
	}
}
