package index

import (
	"math"
	"time"
)

// NoDay stands for a calendar day that is not given or cannot be read. Days are
// counted from 1970-01-01.
const NoDay int32 = math.MinInt32

// parseDay reads a day written 2006-01-02.
func parseDay(text string) int32 {
	if text == "" {
		return NoDay
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return NoDay
	}
	return int32(t.Unix() / (24 * 60 * 60))
}

// window is the days on which an item counts, both ends in; NoDay is an open
// end.
type window struct {
	item        int
	from, until int32
}

// holds reports whether the window holds a day.
func (w *window) holds(day int32) bool {
	return (w.from == NoDay || w.from <= day) && (w.until == NoDay || day <= w.until)
}
