package conflict

import (
	"fmt"

	"github.com/fxamacker/cbor/v2"
)

// The stored form is one byte of Version and the frames as a CBOR array, fields
// in the order of their structs. The vector is not in it.

// decoding refuses what Encode never writes, so that no bytes can make an
// analysis that is out of bounds.
var decoding = func() cbor.DecMode {
	mode, err := cbor.DecOptions{MaxArrayElements: 4096, MaxMapPairs: 16, MaxNestedLevels: 8, IndefLength: cbor.IndefLengthForbidden}.DecMode()
	if err != nil {
		panic(err) // the options are constants
	}
	return mode
}()

// Encode returns the stored form of an analysis, some 300 bytes for a rule of 30
// words. It is deterministic.
func (a *Analysis) Encode() []byte {
	body, err := cbor.Marshal(&a.frames)
	if err != nil {
		panic("encode analysis: " + err.Error()) // plain structs always encode
	}
	return append([]byte{Version}, body...)
}

// Decode returns the analysis that Encode stored, without its vector. It returns
// ErrVersion or ErrCorrupt.
func Decode(data []byte) (*Analysis, error) {
	if len(data) == 0 {
		return nil, fmt.Errorf("decode analysis: %w", ErrCorrupt)
	}
	if data[0] != Version {
		return nil, fmt.Errorf("decode analysis: version %d, not %d: %w", data[0], Version, ErrVersion)
	}
	a := &Analysis{}
	if err := decoding.Unmarshal(data[1:], &a.frames); err != nil {
		return nil, fmt.Errorf("decode analysis: %v: %w", err, ErrCorrupt)
	}
	if !a.valid() {
		return nil, fmt.Errorf("decode analysis: %w", ErrCorrupt)
	}
	a.index()
	return a, nil
}

// valid tells whether what was decoded keeps the bounds of Analyze.
func (f *frames) valid() bool {
	if len(f.Clauses) > MaxClauses || len(f.Quantities) > maxQuantities || len(f.Frequencies) > maxQuantities || len(f.Heading) > maxHeading {
		return false
	}
	for i := range f.Clauses {
		c := &f.Clauses[i]
		if c.Force > forceFact || len(c.Terms) > 2*MaxTokens || max(len(c.Actors), len(c.Parts), len(c.Condition), len(c.Exception), len(c.Without)) > maxFragments {
			return false
		}
		for k := range c.Terms {
			if c.Terms[k].Role > roleHeading {
				return false
			}
		}
	}
	for i := range f.Quantities {
		q := &f.Quantities[i]
		if q.Comparator > aroundOrSame || q.Role > roleDeadline || q.Side > sideAfter || q.Low != q.Low || q.High != q.High {
			return false
		}
	}
	for i := range f.Frequencies {
		if f.Frequencies[i].Comparator > aroundOrSame || f.Frequencies[i].PerYear != f.Frequencies[i].PerYear {
			return false
		}
	}
	return true
}
