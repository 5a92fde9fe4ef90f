package tool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"waymark/analysis"
	"waymark/search"
)

// MaxArgumentBytes is the largest arguments object that is read.
const MaxArgumentBytes = 1 << 20

// readArguments turns a JSON object into the values that the parameters name:
// string, []string, int or bool. An empty body is an empty object. What is
// meant for sure is taken ("10" for 10, one text for a list, null for absent);
// anything else is refused with the name of the argument and what it takes.
func readArguments(raw []byte, parameters []Parameter) (map[string]any, error) {
	if len(raw) > MaxArgumentBytes {
		return nil, search.Errorf(search.CodeTooLarge, fmt.Sprintf("Send at most %d bytes of arguments.", MaxArgumentBytes),
			"The arguments are %d bytes long.", len(raw))
	}
	if !utf8.Valid(raw) {
		return nil, search.Errorf(search.CodeInvalidArgument, "Send the arguments as UTF-8.", "The arguments are not valid UTF-8.")
	}
	object, err := readObject(raw)
	if err != nil {
		return nil, err
	}
	out := make(map[string]any, len(object))
	var unknown []string
	for name := range object {
		if !slices.ContainsFunc(parameters, func(p Parameter) bool { return p.Name == name }) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return nil, unknownArguments(unknown, parameters)
	}
	for _, p := range parameters {
		v, given := object[p.Name]
		if !given || v == nil {
			continue
		}
		value, err := p.read(v)
		if err != nil {
			return nil, err
		}
		out[p.Name] = value
	}
	return out, nil
}

func readObject(raw []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	if err == nil {
		if _, more := d.Token(); !errors.Is(more, io.EOF) {
			err = errors.New("something follows the JSON object")
		}
	}
	if err != nil {
		return nil, search.Errorf(search.CodeInvalidArgument, "Send the arguments as one JSON object.",
			"The arguments are not JSON: %v.", err)
	}
	switch v := v.(type) {
	case nil:
		return nil, nil
	case map[string]any:
		return v, nil
	}
	return nil, search.Errorf(search.CodeInvalidArgument, "Send the arguments as one JSON object.", "The arguments are not a JSON object.")
}

func unknownArguments(unknown []string, parameters []Parameter) error {
	slices.Sort(unknown)
	known := make([]string, len(parameters))
	for i, p := range parameters {
		known[i] = p.Name
	}
	return &search.Error{Code: search.CodeUnknownArgument,
		Message: "There is no argument " + quoteAll(unknown) + ".",
		Hint:    "Use one of: " + strings.Join(known, ", ") + ".",
		Valid:   analysis.Nearest(unknown[0], known)}
}

func quoteAll(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(n)
	}
	return strings.Join(quoted, " or ")
}

func (p Parameter) refuse(got any) error {
	e := search.Errorf(search.CodeInvalidArgument, fmt.Sprintf("Send %s as %s.", p.Name, p.Type),
		"The argument %q takes %s, not %s.", p.Name, p.Type, describe(got))
	if len(p.Values) > 0 {
		e.Hint = fmt.Sprintf("Send %s as one of: %s.", p.Name, strings.Join(p.Values, ", "))
		e.Valid = p.Values
	}
	return e
}

func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return "the text " + strconv.Quote(shorten(v))
	case json.Number:
		return "the number " + shorten(v.String())
	case bool:
		return strconv.FormatBool(v)
	case []any:
		return "a list"
	}
	return "an object"
}

func shorten(s string) string {
	const most = 60
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most]) + "…"
}

func (p Parameter) read(v any) (any, error) {
	switch p.Type {
	case Text:
		return p.readText(v)
	case TextList:
		return p.readList(v)
	case Whole:
		return p.readWhole(v)
	}
	return p.readYesNo(v)
}

func (p Parameter) readText(v any) (any, error) {
	var s string
	switch v := v.(type) {
	case string:
		s = v
	case json.Number:
		s = v.String()
	default:
		return nil, p.refuse(v)
	}
	if utf8.RuneCountInString(s) > p.maxLength() {
		return nil, search.Errorf(search.CodeTooLarge, fmt.Sprintf("Shorten %s to %d characters or less.", p.Name, p.maxLength()),
			"The argument %q has %d characters; at most %d are read.", p.Name, utf8.RuneCountInString(s), p.maxLength())
	}
	if len(p.Values) == 0 {
		return s, nil
	}
	folded := analysis.Fold(s)
	for _, allowed := range p.Values {
		if analysis.Fold(allowed) == folded {
			return allowed, nil
		}
	}
	if folded == "" {
		return "", nil
	}
	return nil, p.refuse(v)
}

func (p Parameter) readList(v any) (any, error) {
	members, isList := v.([]any)
	if !isList {
		members = []any{v}
	}
	if len(members) > p.maxItems() {
		return nil, search.Errorf(search.CodeTooLarge, fmt.Sprintf("Send at most %d members in %s.", p.maxItems(), p.Name),
			"The argument %q has %d members.", p.Name, len(members))
	}
	list := make([]string, 0, len(members))
	for _, m := range members {
		s, err := p.readText(m)
		if err != nil {
			return nil, err
		}
		list = append(list, s.(string))
	}
	return list, nil
}

func (p Parameter) readWhole(v any) (any, error) {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = v.String()
	case string:
		text = strings.TrimSpace(v)
	default:
		return nil, p.refuse(v)
	}
	f, err := strconv.ParseFloat(text, 64)
	// Go reads more as a number than JSON does: "inf", "0x1p4".
	if err != nil && !errors.Is(err, strconv.ErrRange) || f != math.Trunc(f) || !json.Valid([]byte(text)) {
		return nil, p.refuse(v)
	}
	if p.Min != 0 || p.Max != 0 {
		f = min(max(f, float64(p.Min)), float64(p.Max))
	}
	return int(min(max(f, math.MinInt32), math.MaxInt32)), nil
}

func (p Parameter) readYesNo(v any) (any, error) {
	switch v := v.(type) {
	case bool:
		return v, nil
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "yes":
			return true, nil
		case "false", "no":
			return false, nil
		}
	}
	return nil, p.refuse(v)
}
