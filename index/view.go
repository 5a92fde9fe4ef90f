package index

import (
	"math"
	"sync"

	"waymark/vector"
)

// View is a collection as it counts on one day. Rows of rules outside their
// effective window and of documents past their validity are masked: they are
// scored like any other, but take no part in the statistics, so their words
// change no score.
type View struct {
	*Collection
	parts   []part
	n       int
	vectors int // of the rows that count
	average [NumFields]float64

	bankOnce sync.Once
	bankBest []float32
}

// part is one segment on the day.
type part struct {
	masked Bitmap           // dead rows, and rows that do not count on the day
	minus  map[uint32]int32 // by term, the masked rows that hold it
}

// QueryTerm is a term of a query with how often it stands there.
type QueryTerm struct {
	Term  string
	Count int
}

func newView(c *Collection, day int32) *View {
	v := &View{Collection: c}
	var totals [NumFields]uint64
	for n, s := range c.segments {
		p := part{masked: NewBitmap(s.rows()), minus: map[uint32]int32{}}
		for r := range s.rows() {
			i := s.rowItem[r]
			if !c.dead[n].Contains(r) && s.from[i] <= day && day <= s.until[i] {
				v.n++
				if s.hasVector.Contains(r) {
					v.vectors++
				}
				for f := range NumFields {
					totals[f] += uint64(s.lengths[r*int(NumFields)+int(f)])
				}
				continue
			}
			p.masked.Set(r)
			for _, t := range s.forwardTerm[s.forwardStart[r]:s.forwardStart[r+1]] {
				p.minus[t]++
			}
		}
		v.parts = append(v.parts, p)
	}
	for f := range NumFields {
		if v.n > 0 {
			v.average[f] = float64(totals[f]) / float64(v.n)
		}
	}
	return v
}

// N is how many rows count.
func (v *View) N() int { return v.n }

// HasVectors reports whether any row that counts has a vector. None has after a
// change of model, until they are made anew.
func (v *View) HasVectors() bool { return v.vectors > 0 }

// Counts reports whether a row counts on the day.
func (v *View) Counts(row int) bool {
	n := locate(v.rowBase, row)
	return !v.parts[n].masked.Contains(row - v.rowBase[n])
}

// ItemCounts reports whether an item counts on the day.
func (v *View) ItemCounts(item int) bool {
	first, _ := v.RowsOf(item)
	return v.Counts(first)
}

// DF is how many rows that count hold a term in any field.
func (v *View) DF(term string) int {
	df := 0
	for n, s := range v.segments {
		if t := s.find(term); t >= 0 {
			df += int(s.postStart[t+1]-s.postStart[t]) - int(v.parts[n].minus[uint32(t)])
		}
	}
	return df
}

// IDF is the weight of a term; a term that no row holds has the weight that a
// document frequency of 0 gives.
func (v *View) IDF(term string) float64 { return inverseFrequency(v.n, v.DF(term)) }

func inverseFrequency(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+.5)/(float64(df)+.5))
}

// Score adds, for every row, masked ones included, its BM25F score to scores and
// the weight of the terms that it holds at all to held; both have room for all
// rows. A term that stands twice in the query counts twice.
func (v *View) Score(terms []QueryTerm, scores, held []float64) {
	for _, q := range terms {
		weight := v.IDF(q.Term) * float64(q.Count)
		for n, s := range v.segments {
			if t := s.find(q.Term); t >= 0 {
				v.scorePostings(s, t, weight, scores[v.rowBase[n]:v.rowBase[n+1]], held[v.rowBase[n]:v.rowBase[n+1]])
			}
		}
	}
}

func (v *View) scorePostings(s *segment, t int, weight float64, scores, held []float64) {
	rows := s.postRow[s.postStart[t]:s.postStart[t+1]]
	freqs := s.postFreq[s.postStart[t]:s.postStart[t+1]]
	for i, r := range rows {
		x := v.normalised(frequency(freqs[i]), s.lengths[int(r)*int(NumFields):(int(r)+1)*int(NumFields)])
		scores[r] += weight * x / (v.scoring.K1 + x)
		held[r] += weight
	}
}

// normalised is x of the formula at Scoring.
func (v *View) normalised(q frequency, lengths []uint32) float64 {
	var x float64
	for f := range NumFields {
		if tf := q.in(f); tf > 0 {
			b := v.scoring.B[f]
			norm := 1 - b
			if v.average[f] > 0 {
				norm += b * float64(lengths[f]) / v.average[f]
			}
			x += v.scoring.Weight[f] * float64(tf) / norm
		}
	}
	return x
}

// RowsWith is the set of rows, masked ones included, that hold a term.
func (v *View) RowsWith(term string) Bitmap {
	set := NewBitmap(v.Rows())
	for n, s := range v.segments {
		if t := s.find(term); t >= 0 {
			for _, r := range s.postRow[s.postStart[t]:s.postStart[t+1]] {
				set.Set(v.rowBase[n] + int(r))
			}
		}
	}
	return set
}

// BankMaxima is, for each question of the gate's bank, the highest cosine of a
// row that counts; minus infinity where no row has a vector.
func (v *View) BankMaxima() []float32 {
	v.bankOnce.Do(func() {
		v.bankBest = make([]float32, len(v.bank))
		for i, question := range v.bank {
			best := float32(math.Inf(-1))
			for n, s := range v.segments {
				masked := v.parts[n].masked
				c, holder := s.bankCosine[i], s.bankRow[i]
				if holder != math.MaxUint32 && masked.Contains(int(holder)) {
					c, _ = s.nearest(question, masked)
				}
				best = max(best, c)
			}
			v.bankBest[i] = best
		}
	})
	return v.bankBest
}

// Nearest returns the k rows with the highest exact cosines among those that
// count and that keep holds (nil: all), best first: from a segment's graph where
// one is ready, else from an exact scan.
func (v *View) Nearest(q *vector.Query, k int, keep func(row int) bool) ([]vector.Hit, error) {
	var all []vector.Hit
	for n, s := range v.segments {
		words := NewBitmap(s.rows())
		for r := range s.rows() {
			if !v.parts[n].masked.Contains(r) && s.hasVector.Contains(r) && (keep == nil || keep(v.rowBase[n]+r)) {
				words.Set(r)
			}
		}
		var searcher vector.Searcher
		scan, err := vector.NewScan(s.vectors, &s.codes)
		if err != nil {
			return nil, err
		}
		searcher = scan
		if g := s.graph.Load(); g != nil && g.Err() == nil {
			searcher = g
		}
		hits, err := searcher.Nearest(q, k, vector.NewFilter(words))
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			all = append(all, vector.Hit{Row: h.Row + uint32(v.rowBase[n]), Score: h.Score})
		}
	}
	sortHits(all)
	return all[:min(k, len(all))], nil
}
