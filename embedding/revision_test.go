package embedding

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"
)

// TestServedBits pins the bytes of some vectors. They are the same on amd64,
// arm64 and riscv64, with every kernel set. When this fails because the
// arithmetic was meant to change, raise int8Revision: stored vectors must not be
// compared with new ones.
func TestServedBits(t *testing.T) {
	const want = "27308c88e8909f813a8fae09c807bdf23a222ffdf9986b2cdc548f2ed179875e" // of revision 1
	for _, kernels := range Kernels() {
		e := newTestEncoder(t, Options{Kernels: kernels})
		sum := sha256.New()
		for i, r := range references(t) {
			if len(r.MiniLM.IDs) > 12 || i%3 != 0 {
				continue
			}
			v, err := e.EmbedQuery(context.Background(), r.Text)
			if err != nil {
				t.Fatal(err)
			}
			var b []byte
			for _, x := range v {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
			}
			sum.Write(b)
		}
		if got := hex.EncodeToString(sum.Sum(nil)); got != want {
			t.Errorf("%s: the vectors of revision %d have SHA-256 %s, want %s", kernels, int8Revision, got, want)
		}
	}
}
