package index

import (
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// content is what an image is written from: its numbers, and for each section
// how long it is and what writes it. A section is written at once or in pieces,
// so that the vectors of a large merge never lie in memory twice.
type content struct {
	head     header
	sections [sectionCount]sectionContent
}

type sectionContent struct {
	length int64
	write  func(w io.Writer) error
}

// set makes bytes the content of a section.
func (c *content) set(s section, b []byte) {
	c.sections[s] = sectionContent{int64(len(b)), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}
}

// layout places the sections one after the other.
func (c *content) layout() *head {
	h := &head{header: c.head}
	h.Magic, h.Format = segmentMagic, segmentFormat
	at := uint64(headSize)
	for s, part := range c.sections {
		at = (at + sectionAlign - 1) / sectionAlign * sectionAlign
		h.Table[s] = place{Offset: at, Length: uint64(part.length)}
		at += uint64(part.length)
	}
	h.Length = at
	return h
}

// writeTo writes an image to w, at whose start there is room for the head, and
// returns the head that belongs there.
func (c *content) writeTo(w io.Writer) (*head, error) {
	h := c.layout()
	at := uint64(headSize)
	var fill [sectionAlign]byte
	for s, part := range c.sections {
		if _, err := w.Write(fill[:h.Table[s].Offset-at]); err != nil {
			return nil, err
		}
		counted := &counter{w: w}
		if part.write != nil {
			if err := part.write(counted); err != nil {
				return nil, err
			}
		}
		if counted.n != part.length {
			return nil, fmt.Errorf("section %d was written with %d bytes of %d", s, counted.n, part.length)
		}
		h.Table[s].Checksum = counted.sum
		at = h.Table[s].Offset + h.Table[s].Length
	}
	h.Checksum = h.sum()
	return h, nil
}

// inMemory returns the image in memory.
func (c *content) inMemory() ([]byte, error) {
	image := aligned(int(c.layout().Length))
	h, err := c.writeTo(&filler{rest: image[headSize:]})
	if err != nil {
		return nil, err
	}
	copy(image, asBytes(h))
	return image, nil
}

// toFile writes the image as a new file and syncs it.
func (c *content) toFile(path string) error {
	return writeNewFile(path, func(f *os.File) error {
		if _, err := f.Write(make([]byte, headSize)); err != nil {
			return err
		}
		buffered := newBuffered(f)
		h, err := c.writeTo(buffered)
		if err == nil {
			err = buffered.Flush()
		}
		if err == nil {
			_, err = f.WriteAt(asBytes(h), 0)
		}
		return err
	})
}

// counter counts and sums what passes through it.
type counter struct {
	w   io.Writer
	n   int64
	sum uint32
}

// Write implements io.Writer.
func (c *counter) Write(b []byte) (int, error) {
	c.n += int64(len(b))
	c.sum = crc32.Update(c.sum, castagnoli, b)
	return c.w.Write(b)
}

// filler writes into memory that has room.
type filler struct{ rest []byte }

// Write implements io.Writer.
func (f *filler) Write(b []byte) (int, error) {
	n := copy(f.rest, b)
	f.rest = f.rest[n:]
	if n < len(b) {
		return n, io.ErrShortWrite
	}
	return n, nil
}
