package embedding

import "math"

// attention holds the working memory of attend.
type attention struct {
	queryKey      []int16   // [tokens][2·heads][head]
	queryKeyScale []float32 // [tokens][2·heads]
	keys          []int16   // panels of tokens: [panel][head/2][width][2]
	keysFinish    []float32 // [panel][2][width]
	values        []int16   // panels of components: [panel][tokens/2][width][2]
	valuesFinish  []float32 // [panel][2][width]
	rowScale      []float32 // [tokens], of the queries
	contextScale  []float32 // [tokens], what a step of a probability is worth
	scores        []float32
	probabilities []int16
}

// attend computes self-attention for one text, in integers: query and key are
// quantised like activations, with a scale for each token and head; the values
// with a scale for each component; probabilities in steps of 1/32767. qkv is
// [tokens][3][heads][head], dst [tokens][heads][head].
func (t *attention) attend(k *kernelSet, dst, qkv []float32, tokens, heads, head int) {
	hidden := heads * head
	padded := (tokens + softmaxLanes - 1) / softmaxLanes * softmaxLanes
	panels := (padded + k.width - 1) / k.width
	columns := panels * k.width
	t.queryKey = grow(t.queryKey, tokens*2*hidden)
	t.queryKeyScale = grow(t.queryKeyScale, tokens*2*heads)
	t.keys = grow(t.keys, columns*head)
	t.keysFinish = grow(t.keysFinish, 2*columns)
	t.values = grow(t.values, padded*head)
	t.valuesFinish = grow(t.valuesFinish, 2*head)
	t.rowScale = grow(t.rowScale, tokens)
	t.contextScale = grow(t.contextScale, tokens)
	t.scores = grow(t.scores, k.rows()*columns)
	t.probabilities = grow(t.probabilities, k.rows()*padded)

	for i := range tokens {
		t.contextScale[i] = 1.0 / maxProbability
		k.quantizeHeads(t.queryKey[i*2*hidden:(i+1)*2*hidden], t.queryKeyScale[i*2*heads:(i+1)*2*heads],
			qkv[i*3*hidden:i*3*hidden+2*hidden], 2*heads, head)
	}
	temperature := float32(1 / math.Sqrt(float64(head)))
	for h := range heads {
		for i := range tokens {
			t.rowScale[i] = t.queryKeyScale[i*2*heads+h] * temperature
		}
		t.packKeys(k.width, tokens, columns, heads, head, h)
		t.packValues(k, qkv[2*hidden+h*head:], tokens, padded, 3*hidden, head)
		for r, end := range blocks(tokens, k.rows()) {
			for p := range panels {
				k.multiplyInt16[end-r](t.scores[p*k.width:], columns, t.queryKey[r*2*hidden+h*head:], 2*hidden,
					t.keys[p*k.width*head:(p+1)*k.width*head], head, t.keysFinish[2*p*k.width:2*(p+1)*k.width], t.rowScale[r:])
			}
			for i := range end - r {
				k.softmax(t.probabilities[i*padded:(i+1)*padded], t.scores[i*columns:i*columns+padded])
			}
			for p := range head / k.width {
				k.multiplyInt16[end-r](dst[r*hidden+h*head+p*k.width:], hidden, t.probabilities, padded,
					t.values[p*k.width*padded:(p+1)*k.width*padded], (tokens+3)/4*4,
					t.valuesFinish[2*p*k.width:2*(p+1)*k.width], t.contextScale)
			}
		}
	}
}

// packKeys lays the keys of head h out as panels of tokens. The padding columns
// get a score that softmax makes zero of.
func (t *attention) packKeys(width, tokens, columns, heads, head, h int) {
	at := (heads + h) * head
	for c := range columns {
		p, c := c/width, c%width
		token := p*width + c
		finish := t.keysFinish[2*p*width+c : 2*(p+1)*width]
		panel := t.keys[p*width*head+2*c : (p+1)*width*head]
		if token >= tokens {
			finish[0], finish[width] = 0, masked
			for i := 0; i < head; i += 2 {
				panel[i*width], panel[i*width+1] = 0, 0
			}
			continue
		}
		finish[0], finish[width] = t.queryKeyScale[token*2*heads+heads+h], 0
		key := t.queryKey[token*2*heads*head+at:][:head]
		for i := 0; i+1 < len(key); i += 2 {
			panel[i*width], panel[i*width+1] = key[i], key[i+1]
		}
	}
}

// packValues lays the values of one head out as panels of components. Rows
// beyond tokens keep what they had: their probabilities are zero.
func (t *attention) packValues(k *kernelSet, values []float32, tokens, padded, stride, head int) {
	for p := range head / k.width {
		finish := t.valuesFinish[2*p*k.width : 2*(p+1)*k.width]
		clear(finish[k.width:])
		k.quantizeColumns(t.values[p*k.width*padded:(p+1)*k.width*padded], finish[:k.width], values[p*k.width:], stride, tokens)
	}
}
