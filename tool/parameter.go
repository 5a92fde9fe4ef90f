package tool

// Type is the plain type of a parameter, so that a schema never needs a union.
type Type int

// The four types of parameters.
const (
	Text Type = iota
	TextList
	Whole
	YesNo
)

// String is the type's name as an error message says it.
func (t Type) String() string {
	return [...]string{"a text", "a list of texts", "a whole number", "true or false"}[t]
}

// Parameter is one input of a tool.
type Parameter struct {
	Name        string
	Description string
	Type        Type
	Required    bool
	// Default is shown in schemas; the zero value of the handler's input must
	// mean the same. Nil: nothing is assumed.
	Default any
	// Min and Max clamp a Whole; both zero: no limits.
	Min, Max int
	// MaxLength limits a Text, and each member of a TextList, in characters;
	// zero: 200.
	MaxLength int
	// MaxItems limits a TextList; zero: 100.
	MaxItems int
	// Values lists what a Text may be; empty: anything.
	Values []string
}

func (p Parameter) maxLength() int {
	if p.MaxLength == 0 {
		return 200
	}
	return p.MaxLength
}

func (p Parameter) maxItems() int {
	if p.MaxItems == 0 {
		return 100
	}
	return p.MaxItems
}
