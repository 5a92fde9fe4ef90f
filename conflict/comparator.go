package conflict

import "strings"

// comparator says how a quantity bounds what is allowed or meant.
type comparator uint8

const (
	equal        comparator = iota // 12, exactly 12
	atLeast                        // 12 or more
	atMost                         // 12 or less
	over                           // more than 12
	under                          // less than 12
	between                        // 8 to 12
	aroundOrSame                   // about 12
)

// comparatorsBefore stand in front of a number, comparatorsAfter behind its unit.
// Longest first within a beginning is not needed: the longest match wins.
var comparatorsBefore = cueTable[comparator]{
	"at least": atLeast, "minimum of": atLeast, "minimum": atLeast, "a minimum of": atLeast, "no less than": atLeast, "not less than": atLeast, "no fewer than": atLeast,
	"not fewer than": atLeast, "not below": atLeast, "not under": atLeast, "no shorter than": atLeast, "not shorter than": atLeast, "no earlier than": atLeast, "not earlier than": atLeast,
	"no sooner than": atLeast, "from": atLeast, "as of": atLeast, "starting at": atLeast, "upwards of": atLeast, "never less than": atLeast, "never below": atLeast, "nothing below": atLeast, "nothing under": atLeast,
	"no smaller than": atLeast, "no lower than": atLeast, "not lower than": atLeast, "any less than": under,
	"at most": atMost, "maximum of": atMost, "maximum": atMost, "max": atMost, "a maximum of": atMost, "up to": atMost, "no more than": atMost, "not more than": atMost, "never more than": atMost,
	"not exceed": atMost, "never exceed": atMost, "not exceeding": atMost, "without exceeding": atMost, "no longer than": atMost, "not longer than": atMost, "no later than": atMost, "not later than": atMost,
	"limited to": atMost, "capped at": atMost, "cap of": atMost, "limit of": atMost, "ceiling of": atMost, "within": atMost, "not over": atMost, "not above": atMost, "no higher than": atMost, "not higher than": atMost, "nothing above": atMost, "nothing over": atMost,
	"no larger than": atMost, "no greater than": atMost, "not greater than": atMost, "restricted to": atMost, "no older than": atMost, "not older than": atMost, "as much as": atMost, "as many as": atMost, "as long as": equal,
	"over": over, "above": over, "more than": over, "exceeding": over, "exceeds": over, "exceed": over, "greater than": over, "in excess of": over, "beyond": over, "older than": over,
	"longer than": over, "larger than": over, "higher than": over, "heavier than": over, "later than": over, "earlier than": over, "upward of": over, "worth more than": over, "past": over,
	"below": under, "under": under, "less than": under, "fewer than": under, "shorter than": under, "smaller than": under, "lower than": under, "beneath": under, "short of": under,
	"exactly": equal, "precisely": equal, "fixed at": equal, "about": aroundOrSame, "around": aroundOrSame, "approximately": aroundOrSame, "roughly": aroundOrSame, "some": aroundOrSame,
	"not be less than": atLeast, "not be below": atLeast, "not be more than": atMost, "not be over": atMost, "not be above": atMost, "not go above": atMost, "not go below": atLeast, "not fall below": atLeast, "not drop below": atLeast, "not be older than": atMost, "not be longer than": atMost, "not be shorter than": atLeast, "not be higher than": atMost, "not be lower than": atLeast, "not last longer than": atMost, "not last more than": atMost,
	"not sooner than": atLeast, "not until": atLeast, "only after": atLeast, "only up to": atMost, "never fewer than": atLeast, "never longer than": atMost, "never above": atMost, "never over": atMost, "never exceeding": atMost, "never shorter than": atLeast, "anything over": over, "anything above": over, "anything below": under, "anything under": under,
}

var comparatorsAfter = cueTable[comparator]{
	"or more": atLeast, "and more": atLeast, "or above": atLeast, "and above": atLeast, "or over": atLeast, "and over": atLeast, "or higher": atLeast, "and higher": atLeast, "or older": atLeast,
	"or longer": atLeast, "or later": atLeast, "or greater": atLeast, "and upwards": atLeast, "upwards": atLeast, "and up": atLeast, "at least": atLeast, "at a minimum": atLeast, "minimum": atLeast, "at the minimum": atLeast, "at the very least": atLeast, "or better": atLeast,
	"or less": atMost, "and less": atMost, "or below": atMost, "and below": atMost, "or under": atMost, "and under": atMost, "or fewer": atMost, "or lower": atMost, "or shorter": atMost, "or younger": atMost, "at most": atMost,
	"at the most": atMost, "at the latest": atMost, "maximum": atMost, "max": atMost, "at maximum": atMost, "at a maximum": atMost, "or sooner": atMost, "or earlier": atMost, "tops": atMost, "exactly": equal,
}

// cueTable gives a meaning to sequences of words, written with single spaces.
type cueTable[V any] map[string]V

// maxCue is how many words the longest entry of a cue table has.
const maxCue = 9

// before returns the meaning of the longest entry that ends right before token i,
// and where it starts.
func (c cueTable[V]) before(t []token, i int) (v V, from int, ok bool) {
	var key string
	for j := i - 1; j >= 0 && j >= i-maxCue; j-- {
		if t[j].kind == kindMark && t[j].word != "-" {
			break
		}
		if key == "" {
			key = t[j].word
		} else {
			key = t[j].word + " " + key
		}
		if w, found := c[key]; found {
			v, from, ok = w, j, true
		}
	}
	return v, from, ok
}

// at returns the meaning of the longest entry that starts at token i, and where
// it ends.
func (c cueTable[V]) at(t []token, i int) (v V, to int, ok bool) {
	var key strings.Builder
	for j := i; j < len(t) && j < i+maxCue; j++ {
		if t[j].kind == kindMark {
			break
		}
		if j > i {
			key.WriteByte(' ')
		}
		key.WriteString(t[j].word)
		if w, found := c[key.String()]; found {
			v, to, ok = w, j+1, true
		}
	}
	return v, to, ok
}
