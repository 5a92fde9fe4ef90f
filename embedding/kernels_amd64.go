package embedding

import "golang.org/x/sys/cpu"

//go:generate sh -c "cd gen && go run . -out ../kernels_amd64.s -stubs ../kernels_stubs_amd64.go -pkg embedding"

// availableKernels looks at the processor each time, which costs nothing beside
// loading a model. The names and the number of the kernels are those that gen
// writes; run go generate after changing it.
func availableKernels() []*kernelSet {
	var sets []*kernelSet
	if x := &cpu.X86; x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI {
		sets = append(sets, &kernelSet{
			name:  "avx512",
			width: 32,
			group: 2,
			multiplyBytes: []multiplyBytes{nil,
				multiplyBytesAVX512x1, multiplyBytesAVX512x2, multiplyBytesAVX512x3,
				multiplyBytesAVX512x4, multiplyBytesAVX512x5, multiplyBytesAVX512x6,
				multiplyBytesAVX512x7, multiplyBytesAVX512x8, multiplyBytesAVX512x9,
				multiplyBytesAVX512x10, multiplyBytesAVX512x11, multiplyBytesAVX512x12,
			},
			multiplyWords: []multiplyWords{nil,
				multiplyWordsAVX512x1, multiplyWordsAVX512x2, multiplyWordsAVX512x3,
				multiplyWordsAVX512x4, multiplyWordsAVX512x5, multiplyWordsAVX512x6,
				multiplyWordsAVX512x7, multiplyWordsAVX512x8, multiplyWordsAVX512x9,
				multiplyWordsAVX512x10, multiplyWordsAVX512x11, multiplyWordsAVX512x12,
			},
			multiplyInt16: []multiplyInt16{nil,
				multiplyInt16AVX512x1, multiplyInt16AVX512x2, multiplyInt16AVX512x3,
				multiplyInt16AVX512x4, multiplyInt16AVX512x5, multiplyInt16AVX512x6,
				multiplyInt16AVX512x7, multiplyInt16AVX512x8, multiplyInt16AVX512x9,
				multiplyInt16AVX512x10, multiplyInt16AVX512x11, multiplyInt16AVX512x12,
			},
			multiplyFloat: []multiplyFloat{nil,
				multiplyFloatAVX512x1, multiplyFloatAVX512x2, multiplyFloatAVX512x3,
				multiplyFloatAVX512x4, multiplyFloatAVX512x5, multiplyFloatAVX512x6,
				multiplyFloatAVX512x7, multiplyFloatAVX512x8, multiplyFloatAVX512x9,
				multiplyFloatAVX512x10, multiplyFloatAVX512x11, multiplyFloatAVX512x12,
			},
			quantizeBytes:   quantizeBytesAVX512,
			quantizeWords:   quantizeWordsAVX512,
			quantizeHeads:   quantizeHeadsAVX512,
			packKeys:        packKeysAVX512,
			quantizeColumns: quantizeColumnsAVX512,
			softmax:         softmaxAVX512,
			gelu:            geluAVX512,
			addNorm:         addNormAVX512,
		})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		sets = append(sets, &kernelSet{
			name:  "avx2",
			width: 16,
			group: 2,
			multiplyWords: []multiplyWords{nil,
				multiplyWordsAVX2x1, multiplyWordsAVX2x2, multiplyWordsAVX2x3,
				multiplyWordsAVX2x4, multiplyWordsAVX2x5, multiplyWordsAVX2x6,
			},
			multiplyInt16: []multiplyInt16{nil,
				multiplyInt16AVX2x1, multiplyInt16AVX2x2, multiplyInt16AVX2x3,
				multiplyInt16AVX2x4, multiplyInt16AVX2x5, multiplyInt16AVX2x6,
			},
			multiplyFloat: []multiplyFloat{nil,
				multiplyFloatAVX2x1, multiplyFloatAVX2x2, multiplyFloatAVX2x3,
				multiplyFloatAVX2x4, multiplyFloatAVX2x5, multiplyFloatAVX2x6,
			},
			quantizeWords:   quantizeWordsAVX2,
			quantizeHeads:   quantizeHeadsAVX2,
			packKeys:        packKeysAVX2,
			quantizeColumns: quantizeColumnsAVX2,
			softmax:         softmaxAVX2,
			gelu:            geluAVX2,
			addNorm:         addNormAVX2,
		})
	}
	return append(sets, plainKernels())
}
