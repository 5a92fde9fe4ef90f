package conflict

import (
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const sampleRule = "Purchase orders over 5,000 USD must be approved by the head of finance within two working days of the request, unless they are for rent; they are reviewed once a year."

func TestDecodeReturnsWhatEncodeStored(t *testing.T) {
	for _, text := range []string{"", "x", sampleRule, "日本語の規則です。", "No contract is signed until legal has reviewed it."} {
		want := Analyze(Input{Text: text, Title: "Buying", Tags: []string{"money"}, AppliesWhen: []string{"new suppliers"}})
		data := want.Encode()
		got, err := Decode(data)
		if err != nil {
			t.Fatalf("Decode(Encode(%q)): %v", text, err)
		}
		if diff := cmp.Diff(want.frames, got.frames, cmp.AllowUnexported(frames{}, clause{}, term{}, fragment{}, actor{}, quantity{}, frequency{}), cmpopts.EquateEmpty(), cmpopts.IgnoreFields(quantity{}, "from", "to", "nounFrom", "ordinal", "anchorTo"), cmpopts.IgnoreFields(frequency{}, "from", "to")); diff != "" {
			t.Errorf("Decode(Encode(%q)) differs (-want +got):\n%s", text, diff)
		}
		if diff := cmp.Diff(want.words, got.words); diff != "" {
			t.Errorf("words of %q differ (-want +got):\n%s", text, diff)
		}
		if !bytes.Equal(got.Encode(), data) {
			t.Errorf("Encode(Decode(…)) of %q is not the same", text)
		}
	}
}

func TestDecodeRefusesOtherBytes(t *testing.T) {
	good := Analyze(Input{Text: sampleRule}).Encode()
	old := bytes.Clone(good)
	old[0]++
	for _, test := range []struct {
		name string
		data []byte
		want error
	}{
		{"empty", nil, ErrCorrupt},
		{"other version", old, ErrVersion},
		{"cut", good[:len(good)-3], ErrCorrupt},
		{"no frames", []byte{Version, 0xf6, 0xf6}, ErrCorrupt},
	} {
		if _, err := Decode(test.data); !errors.Is(err, test.want) {
			t.Errorf("%s: Decode = %v, want %v", test.name, err, test.want)
		}
	}
}
