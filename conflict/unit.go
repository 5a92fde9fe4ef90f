package conflict

// Dimensions that are no physical ones.
const (
	dimensionTime    = "time"    // hours
	dimensionPercent = "percent" // of a hundred
	dimensionCount   = "count"   // of things
	dimensionClock   = "clock"   // minutes after midnight
	dimensionDate    = "date"    // day of the year
	dimensionWeekday = "weekday" // Monday is 1
	dimensionOrdinal = "ordinal" // the third of its kind
	dimensionBare    = "number"  // a number without unit
)

// isCurrency tells whether a dimension is one of money: its ISO 4217 code.
func isCurrency(dimension string) bool {
	return len(dimension) == 3 && dimension[0] >= 'A' && dimension[0] <= 'Z'
}

// unitAdjectives may stand between a number and its unit.
var unitAdjectives = map[string]bool{
	"working": true, "business": true, "calendar": true, "full": true, "consecutive": true, "clear": true, "banking": true, "whole": true, "successive": true,
	"net": true, "gross": true, "square": true, "academic": true, "us": true, "complete": true, "school": true, "trading": true, "additional": true, "further": true, "-": true,
}

// unitAt reads the unit at token i, after a number: what it is, whether it counts
// working days only, and where it ends.
func (r *reading) unitAt(i int) (u unit, working bool, to int, ok bool) {
	t := r.tokens
	for skipped := 0; i < len(t) && skipped < 3 && unitAdjectives[t[i].word]; skipped++ {
		w := t[i].word
		working = working || w == "working" || w == "business" || w == "banking" || w == "trading" || w == "school"
		i++
	}
	if i >= len(t) {
		return u, working, i, false
	}
	w := t[i].word
	// "km/h", "km per hour", "°C"
	if i+2 < len(t) && (w == "km" || w == "kilometres" || w == "kilometers") && (t[i+1].word == "/" || t[i+1].word == "per") && (t[i+2].word == "h" || t[i+2].word == "hour") {
		return unit{"speed", 1}, false, i + 3, true
	}
	if i+2 < len(t) && w == "miles" && t[i+1].word == "per" && t[i+2].word == "hour" {
		return unit{"speed", 1.60934}, false, i + 3, true
	}
	if w == "°" || w == "degrees" {
		if i+1 < len(t) && (t[i+1].word == "c" || t[i+1].word == "f" || t[i+1].word == "celsius" || t[i+1].word == "fahrenheit") {
			return unit{"temperature", 1}, false, i + 2, true
		}
		return unit{"temperature", 1}, false, i + 1, true
	}
	if w == "per" && i+1 < len(t) && t[i+1].word == "cent" {
		return unit{dimensionPercent, 1}, false, i + 2, true
	}
	u, ok = r.lex.units[w]
	if !ok {
		return u, working, i, false
	}
	if len(w) == 1 && t[i].kind == kindWord && t[i].text != w && w != "v" && w != "w" && w != "l" {
		return u, working, i, false // "10 C" is no unit we know, "10 V" is
	}
	return u, working, i + 1, true
}
