package conflict

// frequency is how often something is done.
type frequency struct {
	_ struct{} `cbor:",toarray"`

	PerYear    float64 // zero for "each time"
	Comparator comparator
	Adjective  bool // "the weekly report": a name more than a frequency
	Event      concept
	Counted    bool // made of "one sample per shift"
	Text       string
	Clause     int

	from, to int
}

var frequencyWords = map[string]float64{
	"hourly": 8760, "daily": 365, "nightly": 365, "weekly": 52.14, "fortnightly": 26.07, "biweekly": 26.07, "monthly": 12, "bimonthly": 6, "quarterly": 4, "biannually": 2, "biannual": 2, "semiannually": 2,
	"semiannual": 2, "halfyearly": 2, "annually": 1, "annual": 1, "yearly": 1, "biennially": 0.5, "biennial": 0.5, "triennially": 1.0 / 3, "triennial": 1.0 / 3,
}

// perYear is how many of a unit make a year, for what is not a plain time.
var perYear = map[string]float64{
	"morning": 365, "evening": 365, "night": 365, "afternoon": 365, "shift": 1095, "weekend": 52.14, "season": 4, "term": 3, "semester": 2,
	"spring": 1, "summer": 1, "autumn": 1, "winter": 1, "annum": 1, "workday": 310,
}

// frequencyAt reads a frequency at token i.
func (r *reading) frequencyAt(i int) (frequency, bool) {
	t := r.tokens
	f := frequency{from: i}
	word := func(j int) string {
		if j >= 0 && j < len(t) {
			return t[j].word
		}
		return ""
	}
	w := word(i)
	if v, ok := frequencyWords[w]; ok {
		f.PerYear, f.to = v, i+1
		if word(i+1) == "basis" {
			f.to = i + 2
			if i > 1 && t[i-1].word == "a" && t[i-2].word == "on" {
				f.from = i - 2
			}
		} else if i+1 < len(t) && t[i+1].kind == kindWord && !functionWords[word(i+1)] && !prepositions[word(i+1)] {
			f.Adjective = true
		}
		if i > 0 && word(i-1) == "-" && i > 1 {
			if n, ok := r.numberAt(i - 2); ok && n.to == i-1 && n.value > 0 { // "six-monthly"
				f.PerYear, f.from = v/n.value, i-2
			} else if word(i-2) == "semi" || word(i-2) == "half" || word(i-2) == "bi" {
				f.PerYear, f.from = v*2, i-2
			}
		} else if word(i-1) == "half" {
			f.PerYear, f.from = v*2, i-1
		}
		if word(f.from+1) == "-" { // the reading started before the number
			f.from = i
		}
		return r.finishFrequency(f), true
	}
	if n, ok := r.numberAt(i); ok && word(n.to) == "-" && !n.ordinal && n.value > 0 {
		if v, ok := frequencyWords[word(n.to+1)]; ok {
			f.PerYear, f.to = v/n.value, n.to+2
			return r.finishFrequency(f), true
		}
	}
	if w == "on" && word(i+1) == "the" {
		if v, to, ok := r.dayOfPeriod(i + 2); ok {
			f.PerYear, f.to = v, to
			return r.finishFrequency(f), true
		}
	}
	if (w == "at" || w == "by" || w == "before") && word(i+1) == "the" && (word(i+2) == "end" || word(i+2) == "beginning" || word(i+2) == "start") && word(i+3) == "of" && (word(i+4) == "each" || word(i+4) == "every") {
		if v, to, ok := r.periodAt(i + 5); ok {
			f.PerYear, f.to = v, to
			return r.finishFrequency(f), true
		}
	}
	times, j := 0.0, i
	switch {
	case w == "once":
		times, j = 1, i+1
	case w == "twice":
		times, j = 2, i+1
	case w == "thrice":
		times, j = 3, i+1
	case (w == "several" || w == "many" || w == "multiple") && word(i+1) == "times":
		times, j = 3, i+2
	default:
		if n, ok := r.numberAt(i); ok && !n.ordinal && word(n.to) == "times" {
			times, j = n.value, n.to+1
		}
	}
	if times > 0 {
		k := j
		switch word(j) {
		case "a", "an", "per", "each", "every", "in", "during", "within", "/":
			k++
			if word(j) == "in" || word(j) == "during" || word(j) == "within" {
				if word(k) == "a" || word(k) == "every" || word(k) == "each" || word(k) == "any" || word(k) == "the" {
					k++
				}
			}
		default:
			return f, false
		}
		if v, to, ok := r.periodAt(k); ok {
			f.PerYear, f.to = times*v, to
			return r.finishFrequency(f), true
		}
		return f, false
	}
	if w == "every" || w == "each" {
		if v, to, ok := r.periodAt(i + 1); ok {
			f.PerYear, f.to = v, to
			return r.finishFrequency(f), true
		}
		if (word(i+1) == "time" || word(i+1) == "single") && w == "every" || w == "each" && word(i+1) == "time" {
			f.Event, f.to = wordConcept("time"), i+2
			return r.finishFrequency(f), true
		}
		if i > 0 && (word(i-1) == "after" || word(i-1) == "before") && i+1 < len(t) && t[i+1].kind == kindWord && !functionWords[word(i+1)] {
			f.Event, f.to = t[i+1].means, i+2
			f.from = i - 1
			return r.finishFrequency(f), true
		}
	}
	if w == "at" && (word(i+1) == "intervals" || word(i+1) == "an" && word(i+2) == "interval") || w == "intervals" || w == "interval" {
		k := i + 1
		for k < len(t) && k < i+9 && (word(k) == "intervals" || word(k) == "interval" || word(k) == "an" || word(k) == "of" || word(k) == "no" || word(k) == "not" || word(k) == "more" || word(k) == "than" || word(k) == "at" || word(k) == "most" || word(k) == "exceeding" || word(k) == "longer") {
			k++
		}
		if word(k-1) == "of" || word(k-1) == "than" || word(k-1) == "most" || word(k-1) == "exceeding" {
			if v, to, ok := r.periodAt(k); ok {
				f.PerYear, f.to = v, to
				return r.finishFrequency(f), true
			}
		}
	}
	return f, false
}

// dayOfPeriod reads "first of the month", "last working day of each quarter".
func (r *reading) dayOfPeriod(i int) (float64, int, bool) {
	w := r.word(i)
	if n, ok := r.numberAt2(i); !(ok && n.ordinal) && w != "last" && w != "first" {
		return 0, 0, false
	} else if ok && n.ordinal {
		i = n.to - 1
	}
	j := i + 1
	for j < i+4 && (r.word(j) == "working" || r.word(j) == "business" || r.word(j) == "day" || weekdays[r.word(j)] > 0) {
		j++
	}
	if r.word(j) != "of" {
		return 0, 0, false
	}
	switch r.word(j + 1) {
	case "the", "each", "every", "a":
	default:
		return 0, 0, false
	}
	if w := r.word(j + 2); w != "month" && w != "quarter" && w != "week" && w != "year" {
		return 0, 0, false
	}
	return r.periodAt(j + 2)
}

// periodAt reads "two years", "other month", "second year", "working day", "Friday"
// and returns how many of it make a year.
func (r *reading) periodAt(i int) (float64, int, bool) {
	t := r.tokens
	word := func(j int) string {
		if j >= 0 && j < len(t) {
			return t[j].word
		}
		return ""
	}
	n := 1.0
	switch word(i) {
	case "other", "second", "alternate":
		n, i = 2, i+1
	case "third":
		n, i = 3, i+1
	case "fourth":
		n, i = 4, i+1
	case "half":
		n, i = 0.5, i+1
		if word(i) == "-" || word(i) == "an" || word(i) == "a" {
			i++
		}
	default:
		if m, ok := r.numberAt2(i); ok && !m.ordinal && m.value > 0 {
			n, i = m.value, m.to
			if word(i) == "to" {
				if m, ok := r.numberAt2(i + 1); ok {
					i = m.to
				}
			}
		}
	}
	working := false
	for word(i) == "working" || word(i) == "business" || word(i) == "calendar" || word(i) == "full" || word(i) == "single" || word(i) == "financial" || word(i) == "fiscal" || word(i) == "school" {
		working = working || word(i) == "working" || word(i) == "business"
		i++
	}
	w := word(i)
	if v, ok := perYear[w]; ok {
		return v / n, i + 1, true
	}
	if _, ok := weekdays[w]; ok {
		return 52.14 / n, i + 1, true
	}
	if _, ok := months[w]; ok && w != "may" {
		return 1 / n, i + 1, true
	}
	if u, ok := r.lex.units[w]; ok && u.dimension == dimensionTime && len(w) > 1 {
		v := 8760 / u.factor / n
		if working {
			v *= 0.85
		}
		return v, i + 1, true
	}
	return 0, i, false
}

// finishFrequency finds what bounds a frequency and how it is written.
func (r *reading) finishFrequency(f frequency) frequency {
	t := r.tokens
	if c, from, ok := comparatorsBefore.before(t, f.from); ok && (c == atLeast || c == atMost || c == over || c == under || c == equal) && t[from].word != "from" && t[from].word != "within" && t[from].word != "over" && t[from].word != "under" {
		f.Comparator, f.from = c, from
	}
	if f.to+2 < len(t) && t[f.to].word == "or" && t[f.to+1].word == "more" && (t[f.to+2].word == "often" || t[f.to+2].word == "frequently") {
		f.Comparator, f.to = atLeast, f.to+3
	} else if c, to, ok := comparatorsAfter.at(t, f.to); ok && (c == atLeast || c == atMost) {
		f.Comparator, f.to = c, to
	}
	f.Text = r.phrase(f.from, f.to)
	return f
}
