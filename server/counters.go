package server

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
)

// counters counts the calls of each tool.
type counters struct {
	mu    sync.Mutex
	calls map[string]uint64
}

// keptNames bounds what unknown tool names can make the counters hold.
const keptNames = 64

func (c *counters) add(tool string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls == nil {
		c.calls = map[string]uint64{}
	}
	if _, known := c.calls[tool]; !known && len(c.calls) >= keptNames {
		tool = "other"
	}
	c.calls[tool]++
}

func (c *counters) write(w io.Writer, dropped uint64) error {
	c.mu.Lock()
	calls := maps.Clone(c.calls)
	c.mu.Unlock()
	fmt.Fprintln(w, "# TYPE waymark_calls_total counter")
	for _, tool := range slices.Sorted(maps.Keys(calls)) {
		fmt.Fprintf(w, "waymark_calls_total{tool=%q} %d\n", tool, calls[tool])
	}
	_, err := fmt.Fprintf(w, "# TYPE waymark_activity_dropped_total counter\nwaymark_activity_dropped_total %d\n", dropped)
	return err
}
