package ingest

import (
	"cmp"
	"math/bits"
	"slices"

	"waymark/store"
)

// Comparing every rule of a Trail with every other one takes the square of their
// number, and a Trail may have ten thousand. So rules are compared only when
// their vectors are near, and vectors only when the signs of their components
// are: two texts of cosine .45 differ in about 35 of 100 signs, unrelated ones
// in 45 and more. 64 signs are compared at once.
const (
	// minCosine is how near two rules must be to be about one matter. The
	// conflicts among the tuning pairs have .45 and more, nineteen of twenty.
	minCosine = 0.45

	// maxDiffering is the share of signs that may differ: .352 in the mean for
	// that cosine, and two standard deviations more at 384 components.
	maxDiffering = 0.40

	// maxNeighbours is how many of the nearest rules one is compared with. With
	// more, comparing would take as long as embedding.
	maxNeighbours = 20
)

// neighbourhood are the rules of one Trail that a new one is compared with.
type neighbourhood struct {
	trail string // name
	rules []neighbour
}

// neighbour is one version of a rule.
type neighbour struct {
	rule   store.Rule
	vector []float32
	signs  []uint64
	frame  any // made when first needed
}

// add puts a version of a rule into the neighbourhood.
func (n *neighbourhood) add(r store.Rule, vector []float32) {
	if vector != nil {
		n.rules = append(n.rules, neighbour{rule: r, vector: vector, signs: signs(vector)})
	}
}

// removeDraft takes out the draft of a rule, which an edit replaces.
func (n *neighbourhood) removeDraft(id string) {
	n.rules = slices.DeleteFunc(n.rules, func(x neighbour) bool {
		return x.rule.ID == id && x.rule.Status != store.StatusApproved
	})
}

// near returns the nearest rules, nearest first and then by id, without those
// that skip names.
func (n *neighbourhood) near(vector []float32, skip func(store.Rule) bool) []nearRule {
	own := signs(vector)
	limit := int(maxDiffering * float64(len(vector)))
	var found []nearRule
	for i := range n.rules {
		if differing(own, n.rules[i].signs) > limit || skip(n.rules[i].rule) {
			continue
		}
		if c := dot(vector, n.rules[i].vector); c >= minCosine {
			found = append(found, nearRule{&n.rules[i], c})
		}
	}
	slices.SortFunc(found, func(a, b nearRule) int {
		return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(a.rule.ID, b.rule.ID), cmp.Compare(a.rule.Version, b.rule.Version))
	})
	return found[:min(len(found), maxNeighbours)]
}

// nearRule is a neighbour with its cosine.
type nearRule struct {
	*neighbour
	cosine float64
}

// signs packs the signs of a vector.
func signs(vector []float32) []uint64 {
	out := make([]uint64, (len(vector)+63)/64)
	for i, x := range vector {
		if x < 0 {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// differing counts the signs that differ. Vectors of another length are far.
func differing(a, b []uint64) int {
	if len(a) != len(b) {
		return 64 * max(len(a), len(b))
	}
	n := 0
	for i, x := range a {
		n += bits.OnesCount64(x ^ b[i])
	}
	return n
}

// dot is the inner product. Four sums at once keep the processor from waiting for
// each addition.
func dot(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return float64(s0) + float64(s1) + float64(s2) + float64(s3)
}

// neighbourhood reads the rules of a Trail with their vectors.
func (w *Writer) neighbourhood(tx *store.ReadTx, trail store.Trail) (*neighbourhood, error) {
	n := &neighbourhood{trail: trail.Name}
	if w.options.Conflicts == nil {
		return n, nil
	}
	var rules []store.Rule
	var hashes []store.Hash
	for r, err := range liveVersions(tx, trail.ID) {
		if err != nil {
			return nil, err
		}
		rules = append(rules, r)
		hashes = append(hashes, store.HashText(w.ruleText(trail.Name, r)))
	}
	vectors, err := tx.GetVectors(w.options.Embedder.ModelID(), hashes)
	if err != nil {
		return nil, err
	}
	for i, r := range rules {
		n.add(r, vectors[i])
	}
	return n, nil
}
