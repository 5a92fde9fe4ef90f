package search

import (
	"errors"
	"testing"
)

func TestValidityFacets(t *testing.T) {
	const day = "2026-12-01"
	for _, c := range []struct {
		facet  string
		fields []string
		want   bool
	}{
		{"", nil, true},
		{"expired", []string{"until", "2026-11-30"}, true},
		{"expired", []string{"until", "2026-12-01"}, false},
		{"expired", nil, false},
		{"stale", []string{"recheck", "2026-11-30"}, true},
		{"stale", []string{"recheck", "2026-12-01"}, false},
		{"stale", []string{"verified", "2001-01-01"}, false},
		{"expiring_within:0", []string{"until", "2026-12-01"}, true},
		{"expiring_within:0", []string{"until", "2026-12-02"}, false},
		{"expiring_within:30", []string{"until", "2026-12-31"}, true},
		{"expiring_within:30", []string{"until", "2027-01-01"}, false},
		{"expiring_within:30", []string{"until", "2026-11-30"}, false},
		{"expiring_within:30", nil, false},
		{" Expiring_Within: 36500 ", []string{"until", "2100-01-01"}, true},
	} {
		f, err := readFacet(c.facet)
		if err != nil {
			t.Fatalf("readFacet(%q): %v", c.facet, err)
		}
		if got := f.holds(facts(t, "active", c.fields...), mustDay(t, day)); got != c.want {
			t.Errorf("%q holds %v = %v, want %v", c.facet, c.fields, got, c.want)
		}
	}
}

func TestBadValidityFacets(t *testing.T) {
	for _, text := range []string{"fresh", "expiring_within", "expiring_within:", "expiring_within:-1", "expiring_within:36501", "expiring_within:1.5", "expiring_within:x", "stale,expired"} {
		_, err := readFacet(text)
		var e *Error
		if !errors.As(err, &e) || e.Code != CodeInvalidArgument || len(e.Valid) == 0 {
			t.Errorf("readFacet(%q) = %v, want invalid_argument with the valid values", text, err)
		}
	}
}
