package embedding

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unsafe"
)

// dense is a layer of int8 weights, packed for one kernel set.
type dense struct {
	in, out  int
	steps    float32   // of the activations: byteSteps or wordSteps
	bytes    bool      // multiplied by multiplyBytes, not multiplyWords
	width    int       // of a panel
	panels   []int8    // [out/width], see kernelSet.group
	sums     []int32   // of the weights of each output
	finish   []float32 // [out/width][2+len(outliers)][width]: scale, bias, outlier values
	outliers []int     // input columns that are multiplied in float32
}

// packDense lays matrices with the same inputs side by side.
func packDense(k *kernelSet, steps float32, parts ...matrix) (dense, error) {
	d := dense{
		in: parts[0].in, steps: steps, bytes: steps == byteSteps && k.multiplyBytes != nil,
		width: k.width, outliers: parts[0].outliers,
	}
	group := k.group
	if d.bytes {
		group = 4
	}
	for _, m := range parts {
		if !slices.Equal(m.outliers, d.outliers) {
			return dense{}, fmt.Errorf("%w: query, key and value keep different columns in float32", ErrUnsupportedPack)
		}
		d.out += m.out
	}
	panels := make([]byte, d.out*d.in)
	d.panels = unsafe.Slice((*int8)(unsafe.Pointer(unsafe.SliceData(panels))), len(panels))
	d.sums = make([]int32, 0, d.out)
	block := (2 + len(d.outliers)) * d.width
	d.finish = make([]float32, d.out/d.width*block)
	first := 0
	for _, m := range parts {
		for o := range m.out {
			panel, c := (first+o)/d.width, (first+o)%d.width
			finish := d.finish[panel*block+c : (panel+1)*block]
			finish[0] = m.scale[o]
			finish[d.width] = m.bias[o]
			for j := range d.outliers {
				finish[(2+j)*d.width] = m.outlierValues[j*m.out+o]
			}
			row := m.rows[o*d.in : (o+1)*d.in]
			packColumn(panels[panel*d.width*d.in:(panel+1)*d.width*d.in], row, c, d.width, group)
			d.sums = append(d.sums, sumWeights(row))
		}
		first += m.out
	}
	return d, nil
}

// packColumn writes the weights of one output to column c of a panel.
func packColumn(panel, row []byte, c, width, group int) {
	switch group {
	case wholeColumn:
		copy(panel[c*len(row):], row)
	case 2:
		for out := panel[2*c:]; len(row) >= 2; row = row[2:] {
			binary.LittleEndian.PutUint16(out, binary.LittleEndian.Uint16(row))
			out = out[min(2*width, len(out)):]
		}
	case 4:
		for out := panel[4*c:]; len(row) >= 4; row = row[4:] {
			binary.LittleEndian.PutUint32(out, binary.LittleEndian.Uint32(row))
			out = out[min(4*width, len(out)):]
		}
	}
}

// sumWeights adds int8 weights, eight at a time: with 128 added to each they
// are unsigned, and four 16-bit sums of two fit a word.
func sumWeights(row []byte) int32 {
	const low = 0x00ff00ff00ff00ff
	sum := int32(-128 * len(row))
	for ; len(row) >= 8; row = row[8:] {
		v := binary.LittleEndian.Uint64(row) ^ 0x8080808080808080
		sum += int32((v&low + v>>8&low) * 0x0001000100010001 >> 48)
	}
	return sum
}

// activations are rows of inputs of a dense layer, quantised for the kernels.
type activations struct {
	rows    int
	bytes   []uint8   // for multiplyBytes
	words   []int16   // for multiplyWords
	scale   []float32 // of each row
	zero    []int32   // of each row of bytes
	outlier []float32 // [rows][outliers], 0 in bytes and words
}

// quantize fills a with the rows of x, which is left as it was.
func (a *activations) quantize(k *kernelSet, x []float32, rows int, d *dense) {
	n := len(d.outliers)
	a.rows = rows
	a.scale = grow(a.scale, rows)
	a.outlier = grow(a.outlier, rows*n)
	for r := range rows {
		row, outlier := x[r*d.in:(r+1)*d.in], a.outlier[r*n:(r+1)*n]
		for j, i := range d.outliers {
			outlier[j], row[i] = row[i], 0
		}
	}
	if d.bytes {
		a.bytes = grow(a.bytes, rows*d.in)
		a.zero = grow(a.zero, rows)
		k.quantizeBytes(a.bytes, a.scale, a.zero, x, rows, d.in)
	} else {
		a.words = grow(a.words, rows*d.in)
		k.quantizeWords(a.words, a.scale, x, d.steps, rows, d.in)
	}
	for r := range rows {
		row, outlier := x[r*d.in:(r+1)*d.in], a.outlier[r*n:(r+1)*n]
		for j, i := range d.outliers {
			row[i] = outlier[j]
		}
	}
}

// panelBytes is how many bytes of weights are used for all rows before the next
// ones are read: what stays in the second-level cache of any processor.
const panelBytes = 128 << 10

// multiply writes the outputs of the layer for all rows of a.
func (d *dense) multiply(k *kernelSet, dst []float32, a *activations) {
	outliers := len(d.outliers)
	block := (2 + outliers) * d.width
	for p, last := range blocks(d.out/d.width, max(1, panelBytes/(d.width*d.in))) {
		panels := d.panels[p*d.width*d.in : last*d.width*d.in]
		finish := d.finish[p*block : last*block]
		sums := d.sums[p*d.width : last*d.width]
		for r, end := range blocks(a.rows, k.rows()) {
			to := dst[r*d.out+p*d.width:]
			if d.bytes {
				k.multiplyBytes[end-r](to, d.out, a.bytes[r*d.in:], d.in, panels, d.in, last-p,
					finish, a.scale[r:], a.zero[r:], sums, a.outlier[r*outliers:], outliers)
			} else {
				k.multiplyWords[end-r](to, d.out, a.words[r*d.in:], d.in, panels, d.in, last-p,
					finish, a.scale[r:], a.outlier[r*outliers:], outliers)
			}
		}
	}
}

// blocks cuts rows into as few blocks of at most size as will do, of nearly
// equal length, and yields where each starts and ends.
func blocks(rows, size int) func(yield func(start, end int) bool) {
	return func(yield func(start, end int) bool) {
		n := (rows + size - 1) / size
		for i := range n {
			if !yield(i*rows/n, (i+1)*rows/n) {
				return
			}
		}
	}
}

// grow returns a slice of n elements, s if it is large enough; the elements are
// whatever they were.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
