package index

// Field is a part of a row whose words are counted apart.
type Field uint8

// The fields of a row. Title, Tags and AppliesWhen of a document stand in each
// of its rows, so the score of a row is a function of that row alone. Context
// is "Trail domain cluster" of a rule, and the heading path of a passage.
const (
	Body Field = iota
	Title
	Tags
	AppliesWhen
	Context
	NumFields
)

// String is the field's name as explanations show it.
func (f Field) String() string {
	return [...]string{"text", "title", "tags", "applies_when", "context"}[f]
}

// Frequency says how often a term stands in each field of a row.
type Frequency [NumFields]uint32

// bodyOnly reports whether the term stands in the body and nowhere else.
func (f *Frequency) bodyOnly() bool {
	return f[Title]|f[Tags]|f[AppliesWhen]|f[Context] == 0
}

// bodyTimes is how often the term stands in the body when it stands nowhere
// else, and 0 when it does.
func (f *Frequency) bodyTimes() uint32 {
	if f.bodyOnly() {
		return f[Body]
	}
	return 0
}
