package index

import (
	"math"

	"waymark/vector"
)

// The bank is a fixed list of vectors of questions that nothing answers. How
// near their nearest rows are tells how near an unrelated row can be in this
// workspace. Each segment keeps for each of them the highest cosine of its rows
// and the row that has it, so that only a segment whose holder is dead or
// masked has to be looked through again.

// noRow marks a holder that is none.
const noRow = math.MaxUint32

// holder is the row with the highest cosine to a vector of the bank.
type holder struct {
	cosine float32
	row    uint32
}

// noHolders returns n holders that any row replaces.
func noHolders(n int) []holder {
	all := make([]holder, n)
	for i := range all {
		all[i] = holder{float32(math.Inf(-1)), noRow}
	}
	return all
}

// offer replaces the holder when a row is nearer, or as near and before it.
func (h *holder) offer(cosine float32, row uint32) {
	if cosine > h.cosine || cosine == h.cosine && row < h.row {
		*h = holder{cosine, row}
	}
}

// setHolders writes the sections of the bank.
func (c *content) setHolders(all []holder) {
	cosines, rows := make([]float32, len(all)), make([]uint32, len(all))
	for i, h := range all {
		cosines[i], rows[i] = h.cosine, h.row
	}
	c.set(sectionBankCosine, bytesOf(cosines))
	c.set(sectionBankRow, bytesOf(rows))
}

// held returns the holders, given those of a mask that masks less: those whose
// row is masked now are looked for again among the rows that are not.
func (s *segment) held(before []holder, masked Bitmap, bank []*vector.Query) []holder {
	all := append([]holder(nil), before...)
	var keep Bitmap
	for i := range all {
		if all[i].row == noRow || !masked.Contains(int(all[i].row)) {
			continue
		}
		if keep == nil {
			keep = append(Bitmap(nil), s.hasVector...)
			keep.AndNot(masked)
		}
		all[i] = noHolders(1)[0]
		// The scan's scores are those of vector.Dot, and of equal ones it takes
		// the first row. It fails on other dimensions only, which Open has checked.
		if hits, err := s.scan.Nearest(bank[i], 1, vector.NewFilter(keep)); err == nil && len(hits) > 0 {
			all[i] = holder{hits[0].Score, hits[0].Row}
		}
	}
	return all
}
