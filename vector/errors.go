package vector

import "errors"

var (
	// ErrShape is returned when lengths do not fit together: a dimension below
	// one or above MaxDimension, a matrix that is no whole number of rows, codes
	// and rows of different sizes, or more than MaxRows rows.
	ErrShape = errors.New("vector: shapes do not fit")

	// ErrDimension is returned when a query has another dimension than the rows.
	ErrDimension = errors.New("vector: query and rows differ in dimension")

	// ErrValue is returned when a vector holds a NaN or an infinity, or is longer
	// than MaxNorm.
	ErrValue = errors.New("vector: value out of range")

	// ErrCount is returned when fewer than one hit is asked for.
	ErrCount = errors.New("vector: number of hits must be at least 1")

	// ErrNoRows is returned when a graph is to be built over no rows.
	ErrNoRows = errors.New("vector: no rows to build a graph from")

	// ErrGraphFormat is returned when bytes are no graph, or one of a format
	// number that this program does not read.
	ErrGraphFormat = errors.New("vector: not a graph that can be read")

	// ErrGraphCorrupt is returned when the bytes of a graph are not those that
	// were written, or do not describe a graph.
	ErrGraphCorrupt = errors.New("vector: graph is damaged")

	// ErrGraphMismatch is returned when a graph was built over other rows.
	ErrGraphMismatch = errors.New("vector: graph belongs to other rows")

	// ErrGraphFailed is returned when a walk of the graph panicked. The graph is
	// not walked again; its Scan answers in its place.
	ErrGraphFailed = errors.New("vector: graph walk failed")

	// ErrLowRecall is returned when a graph finds too few of the true nearest
	// rows to be used. Keep scanning.
	ErrLowRecall = errors.New("vector: recall of the graph is too low")
)
