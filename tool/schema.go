package tool

// Schema is the part of JSON Schema that inputs need: plain single types, each
// with a description.
type Schema struct {
	Type        string             `json:"type"`
	Description string             `json:"description,omitempty"`
	Properties  map[string]*Schema `json:"properties,omitempty"`
	Required    []string           `json:"required,omitempty"`
	Items       *Schema            `json:"items,omitempty"`
	Enum        []string           `json:"enum,omitempty"`
	Default     any                `json:"default,omitempty"`
	Minimum     *int               `json:"minimum,omitempty"`
	Maximum     *int               `json:"maximum,omitempty"`
	MaxLength   int                `json:"maxLength,omitempty"`
	// Additional is false on an object that takes no other members.
	Additional *bool `json:"additionalProperties,omitempty"`
}

// InputSchema describes a tool's arguments. Limits that are clamped are told in
// the schema, and a call beyond them is answered all the same.
func (t *Tool) InputSchema() *Schema {
	closed := false
	s := &Schema{Type: "object", Properties: map[string]*Schema{}, Additional: &closed}
	for _, p := range t.Parameters {
		s.Properties[p.Name] = p.schema()
		if p.Required {
			s.Required = append(s.Required, p.Name)
		}
	}
	return s
}

func (p Parameter) schema() *Schema {
	s := &Schema{Description: p.Description, Default: p.Default, Enum: p.Values}
	switch p.Type {
	case Text:
		s.Type, s.MaxLength = "string", p.maxLength()
	case TextList:
		s.Type, s.Items = "array", &Schema{Type: "string"}
	case Whole:
		s.Type = "integer"
		if p.Min != 0 || p.Max != 0 {
			s.Minimum, s.Maximum = &p.Min, &p.Max
		}
	case YesNo:
		s.Type = "boolean"
	}
	return s
}
