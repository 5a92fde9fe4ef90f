package embedding

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKernelsAgreeToTheBit embeds the reference texts with every kernel set
// that this processor runs. The plain set is slow, so it gets the short ones.
func TestKernelsAgreeToTheBit(t *testing.T) {
	references := references(t)
	plain := newTestEncoder(t, Options{Kernels: "plain"})
	for _, name := range Kernels() {
		e := newTestEncoder(t, Options{Kernels: name})
		for i, r := range references {
			if len(r.MiniLM.IDs) > 12 && i%9 != 0 || len(r.MiniLM.IDs) > 80 {
				continue
			}
			want, err := plain.EmbedQuery(context.Background(), r.Text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := e.EmbedQuery(context.Background(), r.Text)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: EmbedQuery(%.80q) differs from plain (-plain +%s):\n%s", name, r.Text, name, cmp.Diff(want, got))
			}
		}
	}
}
