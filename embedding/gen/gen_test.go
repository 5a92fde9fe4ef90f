package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestCommittedKernels generates the kernels again and compares them with what
// is committed. The first line names the command, paths included, and is not
// compared.
func TestCommittedKernels(t *testing.T) {
	folder := t.TempDir()
	files := []string{"kernels_amd64.s", "kernels_stubs_amd64.go"}
	out, err := exec.Command("go", "run", ".", "-out", filepath.Join(folder, files[0]),
		"-stubs", filepath.Join(folder, files[1]), "-pkg", "embedding").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range files {
		got, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		_, got, _ = bytes.Cut(got, []byte("\n"))
		_, want, _ = bytes.Cut(want, []byte("\n"))
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the generator writes; run go generate in the folder above", name)
		}
	}
}

// TestAVX2Registers checks that no AVX2 kernel uses registers that only AVX512
// has, which the generator hands out when 16 do not suffice.
func TestAVX2Registers(t *testing.T) {
	kernels, err := os.ReadFile(filepath.Join("..", "kernels_amd64.s"))
	if err != nil {
		t.Fatal(err)
	}
	wide := regexp.MustCompile(`\b([XY](1[6-9]|2\d|3[01])|Z\d+)\b`)
	checked := 0
	for _, function := range strings.Split(string(kernels), "\nTEXT ")[1:] {
		name, _, _ := strings.Cut(function, "(")
		if !strings.Contains(name, "AVX2") {
			continue
		}
		checked++
		if register := wide.FindString(function); register != "" {
			t.Errorf("%s uses %s", name, register)
		}
	}
	if checked == 0 {
		t.Error("found no AVX2 kernels")
	}
}
