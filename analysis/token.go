package analysis

// Version numbers the tokens that this package makes. It grows whenever the
// same text would give other terms, so an index that stores it knows when it
// has to be built anew.
const Version = 1

// Kind says what a token is.
type Kind uint8

const (
	// Word is an ordinary word, or a compound of words without digits such
	// as "multi-site".
	Word Kind = iota + 1
	// Number is a number in any notation: "1,000", "$1,000", "4.5%".
	Number
	// Code is an identifier that is compared exactly: "PO-1234", "2.4.10",
	// "C++", "max_daily_amount".
	Code
	// Gram is a pair of neighbouring letters of a script without spaces, or
	// a single one.
	Gram
)

// String returns the kind's name in lower case.
func (k Kind) String() string {
	switch k {
	case Word:
		return "word"
	case Number:
		return "number"
	case Code:
		return "code"
	case Gram:
		return "gram"
	}
	return "unknown"
}

// Token is one word, number, code or letter pair of a text.
type Token struct {
	// Start and End are the byte range of the surface in the analysed text.
	Start, End int
	// Position is the ordinal of the first atom that the token covers,
	// counted from 0, and Width the number of atoms: 1, or more for the
	// whole of a compound.
	Position, Width int
	// Term is what the token is indexed and scored by; empty when the token
	// carries no weight of its own.
	Term string
	// Exact is the term of the form as written, normalised and case folded,
	// accents kept.
	Exact string
	// Unit is the unit of a number where the text names one: an ISO 4217
	// currency code such as "USD", "percent", or the stem of a unit word
	// such as "day". It is empty otherwise.
	Unit string
	// Kind says what the token is.
	Kind Kind
	// Stop marks a stop word. Its Term is empty.
	Stop bool
	// Negation marks a word that can turn a rule around: not, no, only,
	// except, unless, never, without and their kin.
	Negation bool
	// Extra marks a token that lies over atoms which are tokens of their
	// own. It is not counted in a field's length.
	Extra bool
	// TextOnly marks an Extra token that is only a part of something longer,
	// such as "2.4" of "2.4.10", or another way to write it. A text is found
	// by it; a query does not ask for it.
	TextOnly bool
	// Optional marks an Extra token that a query asks for without expecting
	// it: "e-mail" may be written "email", and "ISO 27001" be a code. Where
	// no item holds its Term, it counts neither for nor against any.
	Optional bool
}

// Counted reports whether the token counts in the length of its field: it
// carries weight and does not lie over others.
func (t *Token) Counted() bool { return t.Term != "" && !t.Extra }

// Atom reports whether the token is a unit of the running text rather than a
// compound over several or a second reading of one.
func (t *Token) Atom() bool { return !t.Extra && t.Width == 1 }
