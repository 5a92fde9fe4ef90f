//go:build !amd64

package embedding

func availableKernels() []*kernelSet { return []*kernelSet{plainKernels()} }
