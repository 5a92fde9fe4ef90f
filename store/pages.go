package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/bits"
	"os"
	"slices"
)

// This file reads the pages of a bbolt file for itself, as plain bytes. bbolt
// has a check of its own, but it trusts what it reads: a page number out of
// range faults on a goroutine where nothing can be recovered, and a page that
// leads to itself overflows the stack. Both end the process.
//
// A bbolt file consists of pages of equal size. A page, or a run of them, begins
// with its number (8 bytes), its type (2), how many elements it has (2) and how
// many pages follow that belong to it (4), in the byte order of the machine.
// Pages 0 and 1 are metas, written in turn: they point to the root bucket and to
// the list of free pages, and say how many pages are in use. Branch and leaf
// pages make up trees of keys; the value of a key in a leaf may be a bucket,
// which is a root page and a sequence number, or, where the root is 0, a leaf
// page written in the value itself.
const (
	pageHeader = 16

	branchPage   = 0x01
	leafPage     = 0x02
	freelistPage = 0x10

	bucketElement = 0x01
	bucketHeader  = 16

	metaMagic = 0xED0CDAED
	metaSize  = 64 // without the page header
	noPage    = 1<<64 - 1

	// maxDepth is deeper than any tree of pages gets: a branch page leads to at
	// least two others.
	maxDepth = 64

	// maxFindings is how much a check reports: enough to see a pattern.
	maxFindings = 100
)

var order = binary.NativeEndian

// meta is what a meta page says.
type meta struct {
	pageSize    uint64
	root        uint64 // page of the root bucket
	freelist    uint64
	pages       uint64 // in use, free ones included
	transaction uint64
}

// errNoMagic says that there is no meta page, damaged or not.
var errNoMagic = errors.New("no meta page")

// readMetas returns the metas whose checksums hold.
func readMetas(file io.ReaderAt) ([]meta, error) {
	var metas []meta
	found := false
	// The second meta is one page after the first, and how long a page is, is in
	// the metas. All powers of two that bbolt takes are tried.
	for _, offset := range append([]int64{0}, pageSizes()...) {
		page := make([]byte, pageHeader+metaSize)
		if _, err := file.ReadAt(page, offset); err != nil {
			continue
		}
		body := page[pageHeader:]
		if order.Uint32(body) != metaMagic {
			continue
		}
		found = true
		sum := fnv.New64a()
		sum.Write(body[:metaSize-8])
		m := meta{
			pageSize:    uint64(order.Uint32(body[8:])),
			root:        order.Uint64(body[16:]),
			freelist:    order.Uint64(body[32:]),
			pages:       order.Uint64(body[40:]),
			transaction: order.Uint64(body[48:]),
		}
		sound := sum.Sum64() == order.Uint64(body[metaSize-8:]) && bits.OnesCount64(m.pageSize) == 1
		if sound && (offset == 0 || uint64(offset) == m.pageSize) {
			metas = append(metas, m)
		}
	}
	switch {
	case !found:
		return nil, errNoMagic
	case len(metas) == 0:
		return nil, corruptf("both meta pages, 0 and 1, fail their checksums")
	}
	return metas, nil
}

// pageSizes returns the page sizes that a file may have, as offsets.
func pageSizes() []int64 {
	var sizes []int64
	for size := int64(1024); size <= 16<<20; size *= 2 {
		sizes = append(sizes, size)
	}
	return sizes
}

// newestMeta returns the meta of the last transaction.
func newestMeta(metas []meta) meta {
	newest := metas[0]
	for _, m := range metas[1:] {
		if m.transaction > newest.transaction {
			newest = m
		}
	}
	return newest
}

// checkFile makes sure that the pages in use are in the file, and, where that is
// quick, that they make up sound trees.
func checkFile(file *os.File) error {
	metas, err := readMetas(file)
	if err != nil {
		return err
	}
	m := newestMeta(metas)
	if err := m.checkSize(file); err != nil {
		return err
	}
	if m.pages > quickCheck/m.pageSize {
		return nil
	}
	if findings := m.check(file); len(findings) > 0 {
		return findings[0]
	}
	return nil
}

// quickCheck is the size in bytes up to which all pages of a file are checked
// when it is opened: about 30 ms when they are in memory. Larger files are
// checked on demand.
const quickCheck = 64 << 20

// checkSize returns an error when the file is too short.
func (m meta) checkSize(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if present := uint64(info.Size()) / m.pageSize; present < m.pages {
		return corruptf("the file ends at page %d of %d", present, m.pages)
	}
	return nil
}

// diagnose says why bbolt could not open a file.
func diagnose(path string, cause error) error {
	file, err := os.Open(path)
	if err != nil {
		return cause
	}
	defer file.Close()
	err = checkFile(file)
	switch {
	case errors.Is(err, errNoMagic):
		return ErrNotDatabase
	case err != nil:
		return err
	case errors.Is(cause, ErrCorrupt):
		return cause
	}
	return corruptf("%v", cause)
}

// check visits all pages that a meta leads to and returns what is wrong with
// them. Each finding is ErrCorrupt.
func (m meta) check(file io.ReaderAt) []error {
	c := &pageCheck{file: file, meta: m, state: make([]pageState, m.pages)}
	c.tree(m.root, nil, nil, 0)
	c.freelist()
	c.unaccounted()
	return c.findings
}

// pageState is what a page was found to be.
type pageState uint8

const (
	pageUnseen pageState = iota
	pageUsed
	pageFree
)

// pageCheck is a check of all pages under way. It has one buffer for each depth
// below the root: the pages that lead to the one at hand are still needed.
type pageCheck struct {
	file     io.ReaderAt
	meta     meta
	state    []pageState
	buffers  [maxDepth + 1][]byte
	findings []error
}

// report notes a finding.
func (c *pageCheck) report(page uint64, format string, arguments ...any) {
	if len(c.findings) < maxFindings {
		c.findings = append(c.findings, corruptf("page %d %s", page, fmt.Sprintf(format, arguments...)))
	}
}

// read returns a page with those that belong to it, or nil after a finding. The
// page is valid until the next one is read at the same depth.
func (c *pageCheck) read(id uint64, depth int) []byte {
	switch {
	case depth > maxDepth:
		c.report(id, "is more than %d pages below the root", maxDepth)
		return nil
	case id < 2 || id >= c.meta.pages:
		c.report(id, "is referred to, but only 2 to %d exist", c.meta.pages-1)
		return nil
	}
	size := c.meta.pageSize
	page := slices.Grow(c.buffers[depth][:0], int(size))[:size]
	if _, err := c.file.ReadAt(page, int64(id*size)); err != nil {
		c.report(id, "cannot be read: %v", err)
		return nil
	}
	if got := order.Uint64(page); got != id {
		c.report(id, "says that it is page %d", got)
		return nil
	}
	more := uint64(order.Uint32(page[12:]))
	if more >= c.meta.pages-id {
		c.report(id, "claims %d more pages, beyond the last one", more)
		return nil
	}
	for n := id; n <= id+more; n++ {
		if c.state[n] != pageUnseen {
			c.report(n, "is used twice")
			return nil
		}
		c.state[n] = pageUsed
	}
	if more > 0 {
		page = slices.Grow(page, int(more*size))[:(more+1)*size]
		if _, err := c.file.ReadAt(page[size:], int64((id+1)*size)); err != nil {
			c.report(id, "cannot be read: %v", err)
			return nil
		}
	}
	c.buffers[depth] = page
	return page
}

// tree checks a page and all below it. Its keys must be at least low and less
// than high, where those are given.
func (c *pageCheck) tree(id uint64, low, high []byte, depth int) {
	if page := c.read(id, depth); page != nil {
		c.elements(id, page, low, high, depth)
	}
}

// elements checks the elements of a branch or leaf page and what they lead to.
func (c *pageCheck) elements(id uint64, page []byte, low, high []byte, depth int) {
	kind, count := order.Uint16(page[8:]), int(order.Uint16(page[10:]))
	switch {
	case kind != branchPage && kind != leafPage:
		c.report(id, "has type %#x, want branch or leaf", kind)
		return
	case kind == branchPage && count == 0:
		c.report(id, "is a branch without elements")
		return
	}
	least := low
	for i := range count {
		e, ok := readElement(page, kind, i)
		switch {
		case !ok:
			c.report(id, "has element %d outside of itself", i)
			return
		case i > 0 && bytes.Compare(e.key, least) <= 0:
			c.report(id, "has keys out of order at element %d", i)
			return
		case least != nil && bytes.Compare(e.key, least) < 0, high != nil && bytes.Compare(e.key, high) >= 0:
			c.report(id, "has a key at element %d that belongs elsewhere", i)
			return
		}
		least = e.key
	}
	for i := range count {
		e, _ := readElement(page, kind, i)
		switch {
		case kind == branchPage:
			next := high
			if i+1 < count {
				after, _ := readElement(page, kind, i+1)
				next = after.key
			}
			c.tree(e.page, e.key, next, depth+1)
		case e.flags&bucketElement != 0:
			c.bucket(id, e, depth)
		}
	}
}

// bucket checks a bucket that is the value of an element.
func (c *pageCheck) bucket(id uint64, e element, depth int) {
	if len(e.value) < bucketHeader {
		c.report(id, "has a bucket of %d bytes", len(e.value))
		return
	}
	if root := order.Uint64(e.value); root != 0 {
		c.tree(root, nil, nil, depth+1)
		return
	}
	inline := e.value[bucketHeader:]
	if len(inline) < pageHeader || order.Uint16(inline[8:]) != leafPage {
		c.report(id, "has a bucket inside that is not a leaf")
		return
	}
	c.elements(id, inline, nil, nil, depth+1)
}

// element is an element of a branch page, with page, or of a leaf page, with
// flags and value.
type element struct {
	key, value []byte
	page       uint64
	flags      uint32
}

// readElement returns an element of a page. It reports false when the element is
// not within the page.
func readElement(page []byte, kind uint16, i int) (element, bool) {
	const size = 16
	start := pageHeader + i*size
	if start+size > len(page) {
		return element{}, false
	}
	raw := page[start : start+size]
	var e element
	var position, keySize, valueSize uint64
	if kind == branchPage {
		position, keySize = uint64(order.Uint32(raw)), uint64(order.Uint32(raw[4:]))
		e.page = order.Uint64(raw[8:])
	} else {
		e.flags = order.Uint32(raw)
		position, keySize, valueSize = uint64(order.Uint32(raw[4:])), uint64(order.Uint32(raw[8:])), uint64(order.Uint32(raw[12:]))
	}
	from := uint64(start) + position
	if from+keySize+valueSize > uint64(len(page)) {
		return element{}, false
	}
	e.key = page[from : from+keySize]
	e.value = page[from+keySize : from+keySize+valueSize]
	return e, true
}

// freelist checks the list of free pages.
func (c *pageCheck) freelist() {
	id := c.meta.freelist
	if id == noPage {
		return
	}
	page := c.read(id, 0)
	if page == nil {
		return
	}
	if kind := order.Uint16(page[8:]); kind != freelistPage {
		c.report(id, "has type %#x, want the list of free pages", kind)
		return
	}
	count, list := uint64(order.Uint16(page[10:])), page[pageHeader:]
	if count == 0xFFFF { // too many for the header: the first entry is the count
		count, list = order.Uint64(list), list[8:]
	}
	if count > uint64(len(list)/8) {
		c.report(id, "lists %d free pages, more than fit", count)
		return
	}
	for i := range count {
		free := order.Uint64(list[8*i:])
		switch {
		case free < 2 || free >= c.meta.pages:
			c.report(id, "lists page %d as free, which does not exist", free)
		case c.state[free] == pageUsed:
			c.report(free, "is listed as free, but is used")
		case c.state[free] == pageFree:
			c.report(free, "is listed as free twice")
		default:
			c.state[free] = pageFree
		}
	}
}

// unaccounted reports pages that are neither used nor free. After other findings
// there are too many of them to be told.
func (c *pageCheck) unaccounted() {
	if c.meta.freelist == noPage || len(c.findings) > 0 {
		return
	}
	for id := uint64(2); id < c.meta.pages; id++ {
		if c.state[id] == pageUnseen {
			c.report(id, "is neither used nor free")
		}
	}
}
