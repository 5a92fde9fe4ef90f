package index

// Field is a part of a row whose words are counted apart.
type Field uint8

// The fields of a row. Title, Tags and AppliesWhen of a document stand in each
// of its rows. Context is "Trail domain cluster" of a rule, and the heading path
// of a document's passage.
const (
	Body Field = iota
	Title
	Tags
	AppliesWhen
	Context
	NumFields
)

// String is the field's name as explanations show it.
func (f Field) String() string {
	return [...]string{"text", "title", "tags", "applies_when", "context"}[f]
}

// Scoring holds the constants of BM25F (Robertson, Zaragoza and Taylor 2004): a
// term's frequencies are normalised field by field, added, and saturated once,
//
//	x          = Σ_f Weight_f · tf_f / (1 − B_f + B_f · len_f / avglen_f)
//	score(t,r) = idf(t) · x / (K1 + x)
//	idf(t)     = ln(1 + (N − df + .5) / (df + .5))
//
// where df counts the rows that hold t in any field. So no term adds more than
// its idf, and with one field it is BM25 in Lucene's form.
type Scoring struct {
	K1     float64
	B      [NumFields]float64
	Weight [NumFields]float64
}

// DefaultScoring has the customary k1 of 1.2 and b of .75 for running text, and
// .5 for short fields.
var DefaultScoring = Scoring{K1: 1.2, B: [NumFields]float64{.75, .5, .5, .5, .5}, Weight: [NumFields]float64{1, 1, 1, 1, 1}}

// frequency packs how often a term stands in each field of a row into 32 bits:
// 12 for the body, 5 for each other field. Larger counts are kept as the
// largest that fits, which moves a saturated score by less than 0.1 %.
type frequency uint32

var fieldBits = [NumFields]struct{ shift, width uint32 }{{0, 12}, {12, 5}, {17, 5}, {22, 5}, {27, 5}}

func (q frequency) in(f Field) uint32 {
	return uint32(q) >> fieldBits[f].shift & (1<<fieldBits[f].width - 1)
}

func (q frequency) more(f Field) frequency {
	if q.in(f) == 1<<fieldBits[f].width-1 {
		return q
	}
	return q + 1<<fieldBits[f].shift
}
