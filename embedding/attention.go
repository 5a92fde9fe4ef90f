package embedding

import "math"

// attention holds the working memory of attend.
type attention struct {
	queryKey      []int16   // [tokens, padded][2·heads][head]
	queryKeyScale []float32 // [tokens][2·heads]
	keys          []int16   // [panels of tokens][head][width]
	keysFinish    []float32 // [panel][2][width]
	values        []int16   // [panels of components][tokens][width]
	valuesFinish  []float32 // [panel][2][width]
	rowScale      []float32 // [tokens], of the queries
	contextScale  []float32 // [tokens], what a step of a probability is worth
	scores        []float32
	probabilities []int16
}

// attend computes self-attention for one text, in integers: query and key have
// 13 bits and a scale for each token and head; the values 16 bits and a scale
// for each component; probabilities are in steps of 1/32767. qkv is
// [tokens][3][heads][head], dst [tokens][heads][head].
func (t *attention) attend(k *kernelSet, dst, qkv []float32, tokens, heads, head int) {
	hidden := heads * head
	padded := (tokens + softmaxLanes - 1) / softmaxLanes * softmaxLanes
	panels := (padded + k.width - 1) / k.width
	columns := panels * k.width
	inputs := (tokens + 3) / 4 * 4 // of the sums of values
	t.queryKey = grow(t.queryKey, padded*2*hidden)
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
	temperature := float32(math.Log2E / math.Sqrt(float64(head)))
	for h := range heads {
		for i := range tokens {
			t.rowScale[i] = t.queryKeyScale[i*2*heads+h] * temperature
		}
		t.packKeys(k, tokens, columns, heads, head, h)
		t.packValues(k, qkv[2*hidden+h*head:], tokens, inputs, 3*hidden, head)
		for r, end := range blocks(tokens, k.rows()) {
			k.multiplyInt16[end-r](t.scores, columns, t.queryKey[r*2*hidden+h*head:], 2*hidden,
				t.keys, head, panels, t.keysFinish, t.rowScale[r:])
			for i := range end - r {
				k.softmax(t.probabilities[i*padded:(i+1)*padded], t.scores[i*columns:i*columns+padded])
			}
			k.multiplyInt16[end-r](dst[r*hidden+h*head:], hidden, t.probabilities, padded,
				t.values, inputs, head/k.width, t.valuesFinish, t.contextScale)
		}
	}
}

// packKeys lays the keys of head h out as panels of tokens. The padding columns
// get a score that softmax makes zero of, whatever their keys are.
func (t *attention) packKeys(k *kernelSet, tokens, columns, heads, head, h int) {
	k.packKeys(t.keys, t.queryKey[(heads+h)*head:], 2*heads*head, head, tokens)
	for c := range columns {
		finish := t.keysFinish[c/k.width*2*k.width+c%k.width:]
		if c < tokens {
			finish[0], finish[k.width] = t.queryKeyScale[c*2*heads+heads+h], 0
		} else {
			finish[0], finish[k.width] = 0, masked
		}
	}
}

// packValues lays the values of one head out as panels of components. Rows
// beyond tokens keep what they had: their probabilities are zero.
func (t *attention) packValues(k *kernelSet, values []float32, tokens, inputs, stride, head int) {
	for p := range head / k.width {
		finish := t.valuesFinish[2*p*k.width : 2*(p+1)*k.width]
		clear(finish[k.width:])
		k.quantizeColumns(t.values[p*k.width*inputs:(p+1)*k.width*inputs], finish[:k.width], values[p*k.width:], stride, tokens, inputs)
	}
}
