package vector

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// How the graph is built
//
// It is the base layer of an HNSW graph (Malkov and Yashunin, 2018): every row
// links to rows near it that are not nearer to each other, at most 2·Links of
// them. Where HNSW has upper layers of ever fewer rows, this graph has pivots:
// the first rows of the insertion order, a random sample. A search compares the
// query with all of them and starts from the nearest. In a layer the walk can
// be stuck among rows of one subject; a comparison with a thousand pivots cannot.
//
// Rows are inserted in batches. All rows of a batch look for their neighbors in
// the graph as the batch found it, side by side; then the links back are added,
// target by target. No step depends on how many workers share it, so the same
// rows give the same graph everywhere. A batch is small beside the graph, so
// that what its rows miss of each other is little.
//
// Similarity is the product of the int8 codes of two rows: a graph only has to
// be near enough, and codes are a quarter of the memory to read.

// Defaults of BuildOptions. Links and Beam are the usual ones of HNSW libraries.
const (
	DefaultLinks  = 16
	DefaultBeam   = 100
	DefaultPivots = 1000

	// maxLinks keeps a row of links within reason; no HNSW library suggests more.
	maxLinks = 128

	// batchShare is how many times larger than a batch the graph is.
	batchShare = 32

	// startRows is how many of the nearest pivots a search for neighbors starts
	// from, so that it sees more than one region.
	startRows = 8
)

// BuildOptions says how a graph is built. The zero value asks for the defaults.
type BuildOptions struct {
	Links   int    // links a new row gets, half of what it can have later; 0: DefaultLinks
	Beam    int    // rows kept while looking for neighbors; 0: DefaultBeam
	Pivots  int    // rows that a search can start from; 0: DefaultPivots
	Seed    uint64 // of the insertion order; any value
	Workers int    // goroutines; 0: GOMAXPROCS. The graph does not depend on it
}

// withDefaults returns the options with their zeros replaced, or ErrShape.
func (o BuildOptions) withDefaults() (BuildOptions, error) {
	if o.Links < 0 || o.Links > maxLinks || o.Beam < 0 || o.Pivots < 0 || o.Workers < 0 {
		return o, fmt.Errorf("%+v: want nothing negative and at most %d links: %w", o, maxLinks, ErrShape)
	}
	o.Links = cmp.Or(o.Links, DefaultLinks)
	o.Beam = max(cmp.Or(o.Beam, DefaultBeam), o.Links)
	o.Pivots = cmp.Or(o.Pivots, DefaultPivots)
	o.Workers = cmp.Or(o.Workers, runtime.GOMAXPROCS(0))
	return o, nil
}

// builder holds a graph under construction. Rows without links are not in it.
type builder struct {
	BuildOptions
	codes   *Quantized
	twins   twins
	order   []uint32 // the rows to insert, pivots first
	done    int      // how many of them are in the graph
	links   []uint32 // 2·Links a row
	degree  []uint16 // how many of those are set
	extra   map[uint32][]uint32
	workers []*explorer
}

// BuildGraph builds a graph over the rows of a scan and returns it in the form
// that OpenGraph reads. Equal rows and options give equal bytes, whatever the
// number of workers. It returns ErrNoRows, ErrShape for options that make no
// graph, or the error of ctx.
func BuildGraph(ctx context.Context, scan *Scan, options BuildOptions) ([]byte, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("build graph: %w", err)
	}
	if scan.Len() == 0 {
		return nil, fmt.Errorf("build graph: %w", ErrNoRows)
	}
	b := newBuilder(scan, options)
	if err := b.insertAll(ctx); err != nil {
		return nil, fmt.Errorf("build graph: %w", err)
	}
	b.reachAll()
	return b.encode(), nil
}

// newBuilder returns a graph of no rows yet.
func newBuilder(scan *Scan, options BuildOptions) *builder {
	b := &builder{BuildOptions: options, codes: scan.codes, twins: findTwins(scan), extra: map[uint32][]uint32{}}
	for row := range uint32(scan.Len()) {
		if !b.twins.isCopy(row) {
			b.order = append(b.order, row)
		}
	}
	rng := rand.New(rand.NewPCG(options.Seed, uint64(len(b.order))))
	rng.Shuffle(len(b.order), func(i, j int) { b.order[i], b.order[j] = b.order[j], b.order[i] })
	b.Pivots = min(b.Pivots, len(b.order))
	b.links = make([]uint32, scan.Len()*2*b.Links)
	b.degree = make([]uint16, scan.Len())
	for range b.Workers {
		b.workers = append(b.workers, newExplorer(b))
	}
	return b
}

// neighbors returns the links of a row.
func (b *builder) neighbors(row uint32) []uint32 {
	at := int(row) * 2 * b.Links
	return b.links[at : at+int(b.degree[row])]
}

// setNeighbors replaces the links of a row.
func (b *builder) setNeighbors(row uint32, neighbors []uint32) {
	b.degree[row] = uint16(copy(b.links[int(row)*2*b.Links:][:2*b.Links], neighbors))
}

// pivots returns the pivots that are in the graph.
func (b *builder) pivots() []uint32 { return b.order[:min(b.Pivots, b.done)] }

// insertAll puts all rows into the graph.
func (b *builder) insertAll(ctx context.Context) error {
	for b.done = min(1, len(b.order)); b.done < len(b.order); {
		if err := ctx.Err(); err != nil {
			return err
		}
		batch := b.order[b.done:min(len(b.order), b.done+max(1, b.done/batchShare))]
		b.insert(batch)
		b.done += len(batch)
	}
	return nil
}

// link is a link to be added: from target to source.
type link struct{ target, source uint32 }

// insert puts a batch of rows into the graph.
func (b *builder) insert(batch []uint32) {
	b.share(len(batch), func(e *explorer, i int) {
		row := batch[i]
		e.setRow(row)
		b.setNeighbors(row, e.diverse(e.nearest(b.Beam), b.Links))
	})
	var back []link
	for _, row := range batch {
		for _, neighbor := range b.neighbors(row) {
			back = append(back, link{target: neighbor, source: row})
		}
	}
	slices.SortFunc(back, func(x, y link) int {
		return cmp.Or(cmp.Compare(x.target, y.target), cmp.Compare(x.source, y.source))
	})
	starts := []int{}
	for i := range back {
		if i == 0 || back[i].target != back[i-1].target {
			starts = append(starts, i)
		}
	}
	b.share(len(starts), func(e *explorer, i int) {
		end := len(back)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		e.linkBack(back[starts[i]:end])
	})
}

// share calls f for 0 to items−1 with the workers, in no order.
func (b *builder) share(items int, f func(e *explorer, i int)) {
	if items < 2*len(b.workers) {
		for i := range items {
			f(b.workers[0], i)
		}
		return
	}
	var next atomic.Int64
	var group sync.WaitGroup
	for _, e := range b.workers {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < items; i = int(next.Add(1)) - 1 {
				f(e, i)
			}
		})
	}
	group.Wait()
}
