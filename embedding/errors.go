package embedding

import "errors"

var (
	// ErrCorruptPack is returned when a pack is not a .wmodel file, is cut
	// short, contradicts its own header, or does not have the checksum that it
	// names.
	ErrCorruptPack = errors.New("corrupt model pack")

	// ErrUnsupportedPack is returned when a pack is well formed but holds a
	// model that this encoder does not run, or asks for a number format that
	// the pack cannot serve.
	ErrUnsupportedPack = errors.New("unsupported model pack")

	// ErrUnsupportedKernels is returned when Options name kernels that are
	// unknown or that this processor cannot run.
	ErrUnsupportedKernels = errors.New("unsupported kernels")
)
