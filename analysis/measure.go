package analysis

import "unicode/utf8"

// measureBefore gives the number before a unit or scale word its unit or value.
func measureBefore(dst []Token, first, n, before int, text string) {
	word, number := wordOf(&dst[n]), before
	if dst[before].Kind == Word && text[dst[before].End:dst[n].Start] == " " {
		between := wordOf(&dst[before])
		if word == "cent" && between != "per" || word != "cent" && !dayWords[between] && scales[between] == 0 {
			return
		}
		number = atomBefore(dst, first, before)
	} else if word == "cent" {
		return
	}
	if number < 0 || dst[number].Kind != Number || !closeBy(text, dst[number].End, dst[number+1].Start) {
		return
	}
	t := &dst[number]
	if zeros := scales[word]; zeros > 0 {
		t.Term = term(numberSpace, scaled(t.Exact[len(numberSpace):], zeros))
		t.Exact = t.Term
		return
	}
	if word == "cent" {
		t.setUnit(percent, text)
	} else {
		t.setUnit(units[word].unit, text)
	}
}

// setUnit gives a number the unit that the words around it name, unless it has
// one, and reads its stops as the users of a currency write them.
func (t *Token) setUnit(unit, text string) {
	if t.Unit != "" {
		return
	}
	t.Unit = unit
	if !continental[unit] {
		return
	}
	if v, ok := continentalValue(text[t.Start:t.End]); ok {
		t.Term = term(numberSpace, v)
		t.Exact = t.Term
	}
}

// currencyBefore gives the number at dst[n] the unit u of the word before it, if
// that is a currency and not the unit of another number.
func currencyBefore(dst []Token, first, n, before int, u, gap, text string) {
	if !isCurrency(u) || dst[n].Kind != Number || spoken(dst, first, before, text) {
		return
	}
	if gap == " " || gap == "\u00A0" || gap == ". " && u == "INR" { // "Rs. 500"
		dst[n].setUnit(u, text)
	}
}

// spoken reports whether the currency at dst[i] belongs to the number before it
// rather than to one behind it: "500 EUR 30 days later".
func spoken(dst []Token, first, i int, text string) bool {
	if r, _ := utf8.DecodeRuneInString(text[dst[i].Start:]); classOf(r) == currency {
		return true
	}
	prior := atomBefore(dst, first, i)
	return prior >= 0 && dst[prior].Kind == Number && closeBy(text, dst[prior].End, dst[i].Start)
}

// closeBy reports whether two atoms are parted by one space, no-break space or
// hyphen, or by nothing.
func closeBy(text string, end, start int) bool {
	if end >= start {
		return true
	}
	switch text[end:start] {
	case " ", "-", "\u00A0", "\u202F", "\u2009":
		return true
	}
	return false
}
