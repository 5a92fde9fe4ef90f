package index

import (
	"io"

	"waymark/vector"
)

// vectorRows is the vector side of a segment in the making.
type vectorRows struct {
	dimension int
	rows      [][]float32 // nil: none
	codes     []int8
	scales    []float32
	errors    []float32
}

// add quantizes the vector of the next row; nil is none.
func (v *vectorRows) add(row []float32) error {
	at := len(v.codes)
	v.codes = append(v.codes, make([]int8, v.dimension)...)
	scale, residual := float32(0), float32(0)
	if row != nil {
		var err error
		if scale, residual, err = vector.QuantizeRow(row, v.codes[at:]); err != nil {
			return err
		}
	}
	v.rows = append(v.rows, row)
	v.scales, v.errors = append(v.scales, scale), append(v.errors, residual)
	return nil
}

// encode writes the sections that hold vectors.
func (v *vectorRows) encode(c *content) {
	has := NewBitmap(len(v.rows))
	for r, row := range v.rows {
		if row != nil {
			has.Set(r)
		}
	}
	c.set(sectionHasVector, bytesOf(has))
	none := make([]float32, v.dimension)
	c.sections[sectionVectors] = sectionContent{4 * int64(len(v.codes)), func(w io.Writer) error {
		for _, row := range v.rows {
			if row == nil {
				row = none
			}
			if _, err := w.Write(bytesOf(row)); err != nil {
				return err
			}
		}
		return nil
	}}
	c.set(sectionCodes, bytesOf(v.codes))
	c.set(sectionScales, bytesOf(v.scales))
	c.set(sectionErrors, bytesOf(v.errors))
}
