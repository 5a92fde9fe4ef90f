package embedding

func availableKernels() []*kernelSet { return []*kernelSet{plainKernels()} }
