package vector

// kernelSet names the code that computes products. All sets give the same bits.
type kernelSet uint8

const (
	kernelsPlain  kernelSet = iota // Go
	kernelsAVX2                    // 256-bit assembly
	kernelsAVX512                  // 512-bit assembly with the VNNI byte products
)

// kernels is what this processor runs, chosen once; only tests set it again.
var kernels = bestKernels()
