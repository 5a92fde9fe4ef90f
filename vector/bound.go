package vector

import (
	"fmt"
	"math"
)

// How far an approximate score can be from Dot
//
// Write a row as x = s·c + e and the query as q = t·d + f, with codes c and d,
// scales s and t, and what rounding to codes left over, e and f. Then
//
//	q·x − t·s·(d·c) = q·e + f·(s·c)
//
// and by Cauchy and Schwarz the right side is at most ‖q‖·‖e‖ + ‖f‖·‖s·c‖.
// ‖e‖ is stored as Error, ‖q‖ and ‖f‖ are computed once a query, each rounded
// up, and ‖s·c‖ ≤ 128·√dim·s. Floating point adds, with u = 2^-24:
//
//   - d·c is an exact integer. The two float64 products that make t·s·(d·c) of
//     it and the conversion to float32 err by less than 1.1u of its size, which
//     is at most ‖t·d‖·‖s·c‖ ≤ 2‖q‖·‖s·c‖, as rounding moves no value of the
//     query further than to zero: less than 3u·‖q‖·‖s·c‖.
//   - Dot rounds a product once and adds it ⌈dim/64⌉ times to its lane and 6
//     times on the way out: m = ⌈dim/64⌉ + 7 roundings, hence an error of at
//     most γ·Σ|qᵢxᵢ| ≤ γ·‖q‖·‖x‖ with γ = m·u/(1 − m·u), and
//     ‖x‖ ≤ ‖s·c‖ + ‖e‖.
//   - A result below the normal float32 range errs by up to 2^-150 instead: at
//     most dim+1 of those, in the products of Dot and the final conversion.
//
// Altogether |approximate − Dot| is at most
//
//	(1 + γ)·‖q‖ · Error  +  (‖f‖ + (γ + 3u)·‖q‖)·128·√dim · Scale  +  (dim+2)·2^-149
//
// and the factor before Error, the factor before Scale and the last term are
// the query's perError, perScale and slack. The first two are raised by 2^-20,
// far more than evaluating the sum in float64 and rounding it to float32 loses.

const (
	float32Unit    = 1.0 / (1 << 24)
	evaluationRoom = 1 + 1.0/(1<<20)
)

// setBound derives the factors of Bound from ‖f‖ and ‖q‖, see above.
func (q *Query) setBound(residual, length float64) {
	dimension := len(q.vector)
	roundings := float64((dimension+lanes-1)/lanes+7) * float32Unit
	gamma := roundings / (1 - roundings)
	q.perError = (1 + gamma) * length * evaluationRoom
	q.perScale = (residual + (gamma+3*float32Unit)*length) * 128 * math.Sqrt(float64(dimension)) * evaluationRoom
	q.slack = math.Ldexp(float64(dimension+2), -149)
}

// Bound returns how far Approximate can be from Dot for one row: it is never
// further. q must have the dimension of z.
func (z *Quantized) Bound(q *Query, row int) float32 {
	return float32(q.bound(z.Scale[row], z.Error[row]))
}

// bound is Bound before it is rounded to float32. The conversions forbid fused
// operations, so that the bits do not depend on the machine.
func (q *Query) bound(scale, residual float32) float64 {
	return float64(q.perError*float64(residual)) + float64(q.perScale*float64(scale)) + q.slack
}

// score returns the approximate score that belongs to a product of codes.
func (q *Query) score(product int32, scale float32) float64 {
	return float64(product) * q.scale * float64(scale)
}

// Approximate writes the approximate scores of the rows lo to hi−1 to dst,
// which has room for them: the scores of their codes, within Bound of Dot. It
// returns ErrDimension when q does not fit, and ErrShape when the rows do not
// exist or dst is too short.
func (z *Quantized) Approximate(q *Query, lo, hi int, dst []float32) error {
	if lo < 0 || hi < lo || hi > z.Len() || hi-lo > len(dst) {
		return fmt.Errorf("rows %d to %d of %d into %d scores: %w", lo, hi, z.Len(), len(dst), ErrShape)
	}
	var list [blockRows]uint32
	for ; lo < hi; lo += blockRows {
		block := list[:min(blockRows, hi-lo)]
		for i := range block {
			block[i] = uint32(lo + i)
		}
		if err := z.ApproximateRows(q, block, dst); err != nil {
			return err
		}
		dst = dst[len(block):]
	}
	return nil
}

// ApproximateRows is Approximate for the listed rows, in any order.
func (z *Quantized) ApproximateRows(q *Query, rows []uint32, dst []float32) error {
	if err := z.check(); err != nil {
		return err
	}
	if q.Dimension() != z.Dim {
		return fmt.Errorf("query of %d, rows of %d: %w", q.Dimension(), z.Dim, ErrDimension)
	}
	if len(rows) > len(dst) {
		return fmt.Errorf("%d rows into %d scores: %w", len(rows), len(dst), ErrShape)
	}
	for _, row := range rows {
		if int(row) >= z.Len() {
			return fmt.Errorf("row %d of %d: %w", row, z.Len(), ErrShape)
		}
	}
	s := borrowScratch()
	defer s.release()
	for len(rows) > 0 {
		block := rows[:min(blockRows, len(rows))]
		for i, product := range s.products(z, q, block) {
			dst[i] = float32(q.score(product, z.Scale[block[i]]))
		}
		rows, dst = rows[len(block):], dst[len(block):]
	}
	return nil
}
