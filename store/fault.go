package store

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// guard runs fn and turns what a damaged file does to bbolt into ErrCorrupt:
// bbolt panics when a page is not what it expected, and memory that is mapped
// from a file faults where the file is too short. Other panics go on: they are
// bugs, of ours or in a function that the caller gave.
func guard(fn func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if !fromDamage(cause) {
			panic(cause)
		}
		err = &faultError{cause: fmt.Sprint(cause)}
	}()
	return fn()
}

// faultError is a panic that a damaged file caused. Where it happened during a
// write, the state of bbolt in memory cannot be trusted any more.
type faultError struct{ cause string }

func (e *faultError) Error() string { return ErrCorrupt.Error() + ": " + e.cause }

func (e *faultError) Is(target error) bool { return target == ErrCorrupt }

// fromDamage reports whether the panic that is being recovered is a memory
// fault or was raised by code of bbolt. It must be called from the deferred
// function itself: the frames of the panic are still on the stack then.
func fromDamage(cause any) bool {
	if fault, ok := cause.(runtime.Error); ok {
		if _, ok := fault.(interface{ Addr() uintptr }); ok {
			return true
		}
	}
	callers := make([]uintptr, 32)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	raised := false
	for {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			raised = true
		case raised && !strings.HasPrefix(frame.Function, "runtime."):
			return strings.HasPrefix(frame.Function, "go.etcd.io/bbolt")
		}
		if !more {
			return false
		}
	}
}
