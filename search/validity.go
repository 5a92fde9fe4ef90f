package search

import (
	"fmt"
	"strconv"
	"strings"
)

// maxExpiringDays is the largest N of expiring_within:N: a hundred years.
const maxExpiringDays = 36_500

// facet is a validity_state filter.
type facet struct {
	state  Freshness // Expired, Stale, or empty with within set
	within int       // days, of expiring_within:N; −1: not that facet
}

// readFacet reads validity_state; nil when it is not given.
func readFacet(text string) (*facet, error) {
	switch name := strings.ToLower(strings.TrimSpace(text)); {
	case name == "":
		return nil, nil
	case name == "expired":
		return &facet{Expired, -1}, nil
	case name == "stale":
		return &facet{Stale, -1}, nil
	case strings.HasPrefix(name, "expiring_within:"):
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(name, "expiring_within:")))
		if err == nil && n >= 0 && n <= maxExpiringDays {
			return &facet{"", n}, nil
		}
	}
	return nil, &Error{Code: CodeInvalidArgument, Message: fmt.Sprintf("The argument \"validity_state\" does not take %q.", text),
		Hint:  fmt.Sprintf("Send expired, stale, or expiring_within:N with N from 0 to %d days.", maxExpiringDays),
		Valid: []string{"expired", "stale", "expiring_within:30"}}
}

// holds tells whether a document is in the facet on a day; both ends of
// expiring_within are in. Stale is the narrow sense: recheck_by has passed.
func (f *facet) holds(d DocumentFacts, day Day) bool {
	switch {
	case f == nil:
		return true
	case f.state == Expired:
		return !d.Unexpired(day)
	case f.state == Stale:
		return d.recheckPassed(day)
	}
	return d.ValidUntil != NoDay && d.ValidUntil >= day && int(d.ValidUntil)-int(day) <= f.within
}
