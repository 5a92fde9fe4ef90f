package embedding

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
)

// A .wmodel file, little endian throughout:
//
//	offset  bytes       content
//	0       8           "WMODEL1\n"
//	8       4           uint32 H, length of the header
//	12      4           0
//	16      H           header: one JSON object, padded with spaces so that 16+H is a multiple of 64
//	16+H    data_bytes  tensors in the order of the header, each padded with zeros to a multiple of 64
//
// Version 1 is the only one so far.

const (
	packMagic     = "WMODEL1\n"
	packVersion   = 1
	packAlignment = 64
)

// header is the JSON header of a pack. Unknown fields are ignored.
type header struct {
	Format       string `json:"format"`  // "wmodel"
	Version      int    `json:"version"` // packVersion
	Name         string `json:"name"`    // of the model, such as "all-minilm-l6-v2"
	Architecture struct {
		Type             string  `json:"type"` // "bert"
		Layers           int     `json:"layers"`
		Hidden           int     `json:"hidden"` // components of a token, and of the vector
		Heads            int     `json:"heads"`
		FeedForward      int     `json:"ffn"`
		Vocabulary       int     `json:"vocab"`
		Positions        int     `json:"positions"`
		Activation       string  `json:"activation"` // "gelu_erf"
		LayerNormEpsilon float64 `json:"layer_norm_eps"`
	} `json:"architecture"`
	Tokenizer struct {
		Type              string `json:"type"` // "wordpiece"
		Lowercase         bool   `json:"lowercase"`
		StripAccents      bool   `json:"strip_accents"`
		SplitIdeographs   bool   `json:"split_cjk"`
		MaxWordCharacters int    `json:"max_word_chars"`
		Unknown           string `json:"unk"`
		Begin             string `json:"cls"`
		End               string `json:"sep"`
	} `json:"tokenizer"`
	Pooling       string        `json:"pooling"`   // "mean" of all tokens, or "cls": the first one
	Normalize     bool          `json:"normalize"` // vectors get length 1
	MaxTokens     int           `json:"max_tokens"`
	QueryPrefix   string        `json:"query_prefix"`
	PassagePrefix string        `json:"passage_prefix"`
	DataBytes     int64         `json:"data_bytes"`
	DataSHA256    string        `json:"data_sha256"` // of everything behind the header
	Tensors       []tensorEntry `json:"tensors"`
}

// tensorEntry describes one tensor: a row-major array.
type tensorEntry struct {
	Name   string  `json:"name"`
	Type   string  `json:"dtype"` // u8, i8, i32, f32
	Shape  []int64 `json:"shape"`
	Offset int64   `json:"offset"` // from the end of the header
	Bytes  int64   `json:"bytes"`
	SHA256 string  `json:"sha256"`
}

// pack is a parsed file; its tensors are parts of the file's bytes.
type pack struct {
	header
	data    []byte
	entries map[string]tensorEntry
}

// parsePack checks the frame of a pack: the header, and that its tensors tile
// the data exactly. It does not read the tensors; see verify and newWeights.
func parsePack(file []byte) (*pack, error) {
	if len(file) < 16 || string(file[:8]) != packMagic {
		return nil, fmt.Errorf("%w: no %q at the start", ErrCorruptPack, packMagic)
	}
	length := int64(binary.LittleEndian.Uint32(file[8:]))
	if binary.LittleEndian.Uint32(file[12:]) != 0 || (16+length)%packAlignment != 0 || 16+length > int64(len(file)) {
		return nil, fmt.Errorf("%w: header of %d bytes in a file of %d", ErrCorruptPack, length, len(file))
	}
	p := &pack{data: file[16+length:]}
	if err := json.Unmarshal(file[16:16+length], &p.header); err != nil {
		return nil, fmt.Errorf("%w: header: %w", ErrCorruptPack, err)
	}
	if p.Format != "wmodel" || p.Version != packVersion {
		return nil, fmt.Errorf("%w: format %q version %d, want wmodel %d", ErrUnsupportedPack, p.Format, p.Version, packVersion)
	}
	if p.DataBytes != int64(len(p.data)) {
		return nil, fmt.Errorf("%w: %d bytes of data, header says %d", ErrCorruptPack, len(p.data), p.DataBytes)
	}
	if _, err := hex.DecodeString(p.DataSHA256); err != nil || len(p.DataSHA256) != 2*sha256.Size {
		return nil, fmt.Errorf("%w: data_sha256 %q", ErrCorruptPack, p.DataSHA256)
	}
	if err := p.checkModel(); err != nil {
		return nil, err
	}
	return p, p.checkTensors()
}

// checkModel refuses models that the encoder would not run as their authors
// meant it, and sizes that its arithmetic was not made for.
func (p *pack) checkModel() error {
	a, t := &p.Architecture, &p.Tokenizer
	for _, c := range []struct {
		ok   bool
		what string
		is   any
	}{
		{a.Type == "bert", "architecture type", a.Type},
		{a.Activation == "gelu_erf", "activation", a.Activation},
		{a.Layers >= 1 && a.Layers <= 256, "layers", a.Layers},
		{a.Heads >= 1 && a.Heads <= maxInner, "heads", a.Heads},
		{a.Hidden >= widestPanel && a.Hidden <= maxInner, "hidden", a.Hidden},
		{a.Heads >= 1 && a.Hidden%(a.Heads*widestPanel) == 0 && a.Hidden/a.Heads <= maxHead, "hidden size of a head", a.Hidden},
		{a.FeedForward >= widestPanel && a.FeedForward <= maxInner && a.FeedForward%widestPanel == 0, "ffn", a.FeedForward},
		{a.Vocabulary >= 3 && a.Vocabulary <= math.MaxInt32/2, "vocab", a.Vocabulary},
		{a.Positions >= 3 && a.Positions <= maxPositions, "positions", a.Positions},
		{a.LayerNormEpsilon > 0 && a.LayerNormEpsilon < 1, "layer_norm_eps", a.LayerNormEpsilon},
		{t.Type == "wordpiece" && t.Lowercase && t.StripAccents && t.SplitIdeographs, "tokenizer", *t},
		{t.MaxWordCharacters >= 1 && t.MaxWordCharacters <= 1<<16, "max_word_chars", t.MaxWordCharacters},
		{p.Pooling == poolMean || p.Pooling == poolFirst, "pooling", p.Pooling},
		{p.Normalize, "normalize", p.Normalize},
		{p.MaxTokens >= 3 && p.MaxTokens <= a.Positions, "max_tokens", p.MaxTokens},
	} {
		if !c.ok {
			return fmt.Errorf("%w: %s %v", ErrUnsupportedPack, c.what, c.is)
		}
	}
	return nil
}

// checkTensors checks that every tensor has the bytes of its shape and starts
// where the one before it ends, with zeros between, and fills p.entries.
func (p *pack) checkTensors() error {
	p.entries = make(map[string]tensorEntry, len(p.Tensors))
	at := int64(0)
	for _, e := range p.Tensors {
		corrupt := func(what string) error {
			return fmt.Errorf("%w: tensor %q %s", ErrCorruptPack, e.Name, what)
		}
		size, ok := map[string]int64{"u8": 1, "i8": 1, "i32": 4, "f32": 4}[e.Type]
		if !ok {
			return fmt.Errorf("%w: tensor %q of type %q", ErrUnsupportedPack, e.Name, e.Type)
		}
		for _, n := range e.Shape {
			if n < 0 || n > 0 && size > int64(len(p.data))/n {
				return corrupt("is larger than the file")
			}
			size *= n
		}
		if size != e.Bytes {
			return corrupt("has another size than its shape")
		}
		if e.Offset != at {
			return corrupt("does not start where the one before it ends")
		}
		if at > int64(len(p.data)) || e.Bytes > int64(len(p.data))-at {
			return corrupt("reaches beyond the file")
		}
		at = (at + e.Bytes + packAlignment - 1) / packAlignment * packAlignment
		if at > int64(len(p.data)) {
			return corrupt("is not padded")
		}
		if len(bytes.Trim(p.data[e.Offset+e.Bytes:at], "\x00")) > 0 {
			return corrupt("is padded with something")
		}
		if _, twice := p.entries[e.Name]; twice {
			return corrupt("is named twice")
		}
		p.entries[e.Name] = e
	}
	if at != int64(len(p.data)) {
		return fmt.Errorf("%w: %d bytes behind the last tensor", ErrCorruptPack, int64(len(p.data))-at)
	}
	return nil
}

// verify compares the data and each tensor with the checksums of the header.
func (p *pack) verify() error {
	for _, e := range p.Tensors {
		if sum := sha256.Sum256(p.data[e.Offset : e.Offset+e.Bytes]); hex.EncodeToString(sum[:]) != e.SHA256 {
			return fmt.Errorf("%w: tensor %q has another checksum than the header says", ErrCorruptPack, e.Name)
		}
	}
	if sum := sha256.Sum256(p.data); hex.EncodeToString(sum[:]) != p.DataSHA256 {
		return fmt.Errorf("%w: the data has another checksum than the header says", ErrCorruptPack)
	}
	return nil
}

// bytes returns a tensor of one-byte elements, in place.
func (p *pack) bytes(name, dtype string, shape ...int) ([]byte, error) {
	e, ok := p.entries[name]
	if !ok {
		return nil, fmt.Errorf("%w: tensor %q is missing", ErrCorruptPack, name)
	}
	fits := e.Type == dtype && len(e.Shape) == len(shape)
	for i := 0; fits && i < len(shape); i++ {
		fits = e.Shape[i] == int64(shape[i])
	}
	if !fits {
		return nil, fmt.Errorf("%w: tensor %q is %s %v, want %s %v", ErrCorruptPack, name, e.Type, e.Shape, dtype, shape)
	}
	return p.data[e.Offset : e.Offset+e.Bytes : e.Offset+e.Bytes], nil
}

// floats returns a copy of a float32 tensor and refuses values that are not
// finite.
func (p *pack) floats(name string, shape ...int) ([]float32, error) {
	b, err := p.bytes(name, "f32", shape...)
	if err != nil {
		return nil, err
	}
	x := make([]float32, len(b)/4)
	for i := range x {
		bits := binary.LittleEndian.Uint32(b[4*i:])
		if bits&0x7f800000 == 0x7f800000 {
			return nil, fmt.Errorf("%w: tensor %q holds a value that is not finite", ErrCorruptPack, name)
		}
		x[i] = math.Float32frombits(bits)
	}
	return x, nil
}

// indices returns a tensor of int32, which must lie in [0, limit) and ascend.
func (p *pack) indices(name string, n, limit int) ([]int, error) {
	b, err := p.bytes(name, "i32", n)
	if err != nil {
		return nil, err
	}
	x := make([]int, n)
	for i := range x {
		x[i] = int(int32(binary.LittleEndian.Uint32(b[4*i:])))
		if x[i] < 0 || x[i] >= limit || i > 0 && x[i] <= x[i-1] {
			return nil, fmt.Errorf("%w: tensor %q holds index %d out of place", ErrCorruptPack, name, x[i])
		}
	}
	return x, nil
}
