package conflict

import (
	"strconv"
	"strings"
)

var weekdays = map[string]float64{"monday": 1, "mondays": 1, "tuesday": 2, "tuesdays": 2, "wednesday": 3, "wednesdays": 3, "thursday": 4, "thursdays": 4, "friday": 5, "fridays": 5, "saturday": 6, "saturdays": 6, "sunday": 7, "sundays": 7}

var months = map[string]float64{"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10, "november": 11, "december": 12,
	"jan": 1, "feb": 2, "apr": 4, "jun": 6, "jul": 7, "aug": 8, "sept": 9, "sep": 9, "oct": 10, "nov": 11, "dec": 12}

// calendarAt reads a clock time, a date or a weekday at token i.
func (r *reading) calendarAt(i int) (q quantity, ok bool) {
	t := r.tokens
	word := func(j int) string {
		if j >= 0 && j < len(t) {
			return t[j].word
		}
		return ""
	}
	q.from = i
	set := func(dimension string, v float64, to int) (quantity, bool) {
		q.Dimension, q.Low, q.High, q.to = dimension, v, v, to
		return q, true
	}
	w := word(i)
	if d, found := weekdays[w]; found {
		return set(dimensionWeekday, d, i+1)
	}
	if w == "noon" || w == "midday" {
		return set(dimensionClock, 12*60, i+1)
	}
	if w == "midnight" {
		return set(dimensionClock, 24*60, i+1)
	}
	if m, found := months[w]; found && (w != "may" && w != "march" || t[i].capital && i > 0) {
		day, to := 0.0, i+1
		if n, isNumber := r.numberAt2(to); isNumber && n.value >= 1 && n.value <= 31 && !r.unitFollows(n.to) {
			day, to = n.value, n.to
			to = r.skipYear(to)
		}
		if w == "may" || w == "march" {
			if day == 0 && word(i-1) != "in" && word(i-1) != "each" && word(i-1) != "every" && word(i-1) != "of" && word(i-1) != "by" && word(i-1) != "until" {
				return q, false
			}
		}
		return set(dimensionDate, m*31+day, to)
	}
	if t[i].kind != kindNumber {
		return q, false
	}
	if h, m, found := strings.Cut(w, ":"); found {
		hours, err1 := strconv.Atoi(h)
		minutes, err2 := strconv.Atoi(m)
		if err1 != nil || err2 != nil || hours > 24 || minutes > 59 {
			return q, false
		}
		v, to := float64(hours*60+minutes), i+1
		if half := r.halfOfDay(i + 1); half.to > 0 {
			v, to = half.apply(v), half.to
		}
		return set(dimensionClock, v, to)
	}
	if half := r.halfOfDay(i + 1); half.to > 0 {
		v, isNumber := parseDigits(w)
		if !isNumber || v > 12 {
			return q, false
		}
		minutes := 0.0
		if _, m, found := strings.Cut(w, "."); found && len(m) == 2 {
			minutes, _ = parseDigits(m)
		}
		return set(dimensionClock, half.apply(float64(int(v))*60+minutes), half.to)
	}
	if n, isNumber := r.numberAt(i); isNumber && n.value <= 12 && (word(n.to) == "to" || word(n.to) == "and" || word(n.to) == "-" || word(n.to) == "–") && n.to+1 < len(t) && t[n.to+1].kind == kindNumber {
		// "between 7 and 9 am"
		if end := r.halfOfDay(n.to + 2); end.to > 0 {
			if v, ok := parseDigits(t[n.to+1].word); ok && v <= 12 {
				q.Comparator = between
				q.Dimension, q.Low, q.High, q.to = dimensionClock, end.apply(n.value*60), end.apply(v*60), end.to
				return q, true
			}
		}
	}
	if n, isNumber := r.numberAt(i); isNumber && n.value >= 1 && n.value <= 31 {
		j := n.to
		if word(j) == "of" {
			j++
		}
		if m, found := months[word(j)]; found && (j == n.to || word(j) != "may") {
			return set(dimensionDate, m*31+n.value, r.skipYear(j+1))
		}
	}
	return q, false
}

// numberAt2 is numberAt for a token that may not be there.
func (r *reading) numberAt2(i int) (number, bool) {
	if i >= len(r.tokens) {
		return number{}, false
	}
	return r.numberAt(i)
}

func (r *reading) unitFollows(i int) bool {
	_, _, _, ok := r.unitAt(i)
	return ok
}

// skipYear returns the token after an optional year.
func (r *reading) skipYear(i int) int {
	t := r.tokens
	j := i
	if j < len(t) && t[j].word == "," {
		j++
	}
	if j < len(t) && t[j].kind == kindNumber && len(t[j].word) == 4 && (t[j].word[0] == '1' || t[j].word[0] == '2') {
		return j + 1
	}
	return i
}

// halfOfDay is "am" or "pm" behind an hour.
type halfOfDay struct {
	to    int // zero: none
	after bool
}

func (h halfOfDay) apply(minutes float64) float64 {
	if h.after && minutes < 12*60 {
		return minutes + 12*60
	}
	if !h.after && minutes >= 12*60 {
		return minutes - 12*60
	}
	return minutes
}

func (r *reading) halfOfDay(i int) halfOfDay {
	t := r.tokens
	if i >= len(t) {
		return halfOfDay{}
	}
	switch w := t[i].word; w {
	case "am", "pm":
		if t[i].text == "am" && i+1 < len(t) && t[i+1].word == "not" {
			return halfOfDay{}
		}
		return halfOfDay{i + 1, w == "pm"}
	case "a", "p":
		if i+2 < len(t) && t[i+1].word == "." && t[i+2].word == "m" {
			to := i + 3
			if to < len(t) && t[to].word == "." && t[to].joined && to+1 < len(t) && !t[to+1].capital {
				to++
			}
			return halfOfDay{to, w == "p"}
		}
	case "o'clock":
		return halfOfDay{i + 1, false}
	}
	return halfOfDay{}
}
