package search

import (
	"math"
	"time"
)

// Day is a calendar day as the number of days since 1970-01-01. The two ends of
// the range stand for an open window.
type Day int32

// NoDay is the value of a day that was not given.
const NoDay Day = math.MinInt32

// ParseDay reads a day written 2006-01-02; an empty text is NoDay.
func ParseDay(text string) (Day, bool) {
	if text == "" {
		return NoDay, true
	}
	t, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return NoDay, false
	}
	return Day(t.Unix() / 86400), true
}

// DayOf returns the calendar day of an instant in a time zone.
func DayOf(t time.Time, zone *time.Location) Day {
	y, m, d := t.In(zone).Date()
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// String writes the day as 2006-01-02, or nothing for NoDay.
func (d Day) String() string {
	if d == NoDay {
		return ""
	}
	return time.Unix(int64(d)*86400, 0).UTC().Format(time.DateOnly)
}
