package analysis

import "strings"

// Numbers have one value in every notation: 1000, 1,000, 1 000 with a thin,
// no-break or plain space, 1'000, 1_000, 1.000,00 and 1,000.00 are all "1000". Other
// decimals stay as they are written, so that section 4.2 is not section 4.20,
// but for percentages. Three or more groups with stops are a code (2.4.10)
// unless all but the first have three digits (1.000.000). Whole numbers that
// begin with zero and have three digits or more are codes: 007, 00042.

// splitNumber adds the number or dotted code that begins at character k as one
// part and returns where it ends.
func (c *chunk) splitNumber(k int, joint rune) int {
	from := c.version(k)
	whole, k := c.digits(k)
	grouped := false
	if k < len(c.chars) && len(whole) <= 3 && len(whole) > 0 {
		if sep := c.chars[k].r; sep == ',' || sep == '\'' || sep == ' ' || sep == '_' {
			for {
				group, end := c.digits(k + 1)
				indian := sep == ',' && len(group) == 2 && end < len(c.chars) && c.chars[end].r == ','
				if k >= len(c.chars) || c.chars[k].r != sep || len(group) != 3 && !indian {
					break
				}
				whole, k, grouped = whole+group, end, true
			}
		}
	}
	var dotted []string // what follows stops: a fraction, groups, or parts of a code
	for !grouped || len(dotted) == 0 {
		group, end := c.digits(k + 1)
		if k >= len(c.chars) || c.chars[k].r != '.' || group == "" {
			break
		}
		dotted, k = append(dotted, group), end
	}
	comma := "" // the fraction behind a decimal comma
	if k < len(c.chars) && c.chars[k].r == ',' && !grouped {
		if group, end := c.digits(k + 1); group != "" && len(group) != 3 {
			comma, k = group, end
		}
	}
	thousands := allOfThree(dotted) && len(whole) <= 3 && whole != "" && whole[0] != '0'
	switch {
	case comma != "" && (len(dotted) == 0 || thousands):
		c.add(Number, value(whole+strings.Join(dotted, ""), comma), joint, from, k)
	case len(dotted) > 1 && thousands, len(dotted) == 1 && thousands && c.continental():
		c.add(Number, value(whole+strings.Join(dotted, ""), ""), joint, from, k)
	case len(dotted) > 1:
		c.add(Code, whole+"."+strings.Join(dotted, "."), joint, from, k)
	case len(dotted) == 1:
		c.add(Number, value(whole, dotted[0]), joint, from, k)
	case len(whole) >= 3 && whole[0] == '0' && !grouped:
		c.add(Code, whole, joint, from, k)
	default:
		c.add(Number, value(whole, ""), joint, from, k)
	}
	return k
}

// version returns where the number at character k begins: at the "v" before it,
// if that alone stands there and the number has a stop, as in v2.4.10, and takes
// that part back.
func (c *chunk) version(k int) int {
	if k != 1 || len(c.parts) != 1 || c.parts[0].text != "v" {
		return k
	}
	_, end := c.digits(k)
	if end < len(c.chars) && c.chars[end].r == '.' && c.classAt(end+1) == digit {
		c.parts = c.parts[:0]
		return 0
	}
	return k
}

// digits returns the digits that begin at character k and where they end.
func (c *chunk) digits(k int) (string, int) {
	var b strings.Builder
	for c.classAt(k) == digit {
		b.WriteByte(byte(c.chars[k].r))
		k++
	}
	return b.String(), k
}

// continental reports whether the chunk's currency is one whose users write
// 1.000 for a thousand.
func (c *chunk) continental() bool {
	for _, ch := range c.chars {
		if continental[signs[ch.r].unit] {
			return true
		}
	}
	return false
}

// continentalValue returns the value of a number written with stops between
// thousands, "5.000", if that is what it is.
func continentalValue(written string) (string, bool) {
	groups := strings.Split(written, ".")
	if len(groups) < 2 || len(groups[0]) == 0 || len(groups[0]) > 3 || groups[0][0] == '0' || !digitsOnly(written) || !allOfThree(groups[1:]) {
		return "", false
	}
	return strings.Join(groups, ""), true
}

// allOfThree reports whether every group has three digits.
func allOfThree(groups []string) bool {
	for _, g := range groups {
		if len(g) != 3 {
			return false
		}
	}
	return true
}

// value returns the canonical form of a number: no zeros in front, and no
// fraction of zeros only.
func value(whole, fraction string) string {
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if strings.Trim(fraction, "0") == "" {
		return whole
	}
	return whole + "." + fraction
}

// scaled returns a value multiplied by ten to the power of zeros.
func scaled(value string, zeros int) string {
	whole, fraction, _ := strings.Cut(value, ".")
	fraction = strings.TrimRight(fraction, "0")
	if n := zeros - len(fraction); n >= 0 {
		whole, fraction = whole+fraction+strings.Repeat("0", n), ""
	} else {
		whole, fraction = whole+fraction[:zeros], fraction[zeros:]
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}
