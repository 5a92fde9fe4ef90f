//go:build linux

// Command timer times the encoder on request, so that a driver can interleave
// it with another engine: each line on standard input is one JSON request, each
// line on standard output the best CPU time, in milliseconds, of the thread that
// did the work. Other jobs on the machine then cost only what they do to its
// caches.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"waymark/embedding"
)

// request asks for the time of one query.
type request struct {
	Pack    string  // path of a pack, "" for the model in the binary
	Format  string  // "" for the served one
	Kernels string  // "" for the fastest
	Text    string  // the query
	Seconds float64 // how long to go on, at least two rounds
}

// answer is the best time and what was timed.
type answer struct {
	Milliseconds float64
	Tokens       []int32   // word pieces of the query
	Vector       []float32 // of the query
	Model        string
	Kernels      string
}

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "timer:", err)
		os.Exit(1)
	}
}

func serve() error {
	runtime.LockOSThread()
	encoders := map[[3]string]*embedding.Encoder{}
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for in.More() {
		var r request
		if err := in.Decode(&r); err != nil {
			return err
		}
		key := [3]string{r.Pack, r.Format, r.Kernels}
		e := encoders[key]
		if e == nil {
			var err error
			o := embedding.Options{Format: embedding.Format(r.Format), Kernels: r.Kernels, Workers: 1}
			if r.Pack == "" {
				e, err = embedding.New(o)
			} else {
				e, err = embedding.Open(r.Pack, o)
			}
			if err != nil {
				return err
			}
			encoders[key] = e
		}
		a, err := timeQuery(e, r.Text, time.Duration(r.Seconds*float64(time.Second)))
		if err != nil {
			return err
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

func timeQuery(e *embedding.Encoder, text string, atLeast time.Duration) (answer, error) {
	ctx := context.Background()
	best := time.Duration(1<<63 - 1)
	start, err := threadTime()
	if err != nil {
		return answer{}, err
	}
	var vector []float32
	for now, rounds := start, 0; rounds < 2 || now-start < atLeast; rounds++ {
		begin := now
		if vector, err = e.EmbedQuery(ctx, text); err != nil {
			return answer{}, err
		}
		if now, err = threadTime(); err != nil {
			return answer{}, err
		}
		best = min(best, now-begin)
	}
	return answer{best.Seconds() * 1e3, e.Tokens(text), vector, e.ModelID(), e.Kernels()}, nil
}

// threadTime is the CPU time of the calling thread.
func threadTime() (time.Duration, error) {
	var t unix.Timespec
	err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano()), err
}
