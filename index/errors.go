package index

import "errors"

var (
	// ErrClosed is returned when a Manager is used after Close.
	ErrClosed = errors.New("index is closed")

	// ErrOptions is returned when the options of a Manager cannot be used.
	ErrOptions = errors.New("index: options out of range")

	// errDamaged is returned when a file is not what was written, or fits
	// neither the options nor the store. Nobody outside sees it but in the
	// report that a workspace was rebuilt.
	errDamaged = errors.New("index file cannot be used")

	// errTooLarge is returned when a segment would outgrow its 32-bit offsets.
	errTooLarge = errors.New("segment is too large")
)
