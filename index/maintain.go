package index

import (
	"math"
	"slices"
)

// enqueue asks for maintenance of a workspace; once more while it waits is
// nothing more.
func (m *Manager) enqueue(w *workspace) {
	if w.queued.Swap(true) {
		return
	}
	select {
	case m.queue <- w:
	default:
		// The queue is full: the next commit, or Close, does it.
		w.queued.Store(false)
	}
}

// maintainQueued does the work that was asked for until the manager is closed.
func (m *Manager) maintainQueued() {
	for {
		select {
		case <-m.stopping.Done():
			return
		case w := <-m.queue:
			w.queued.Store(false)
			m.maintain(w)
		}
	}
}

// maintain merges and writes what should be. What goes wrong is reported and
// tried again the next time; answers do not depend on it.
func (m *Manager) maintain(w *workspace) {
	w.maintenance.Lock()
	defer w.maintenance.Unlock()
	for m.stopping.Err() == nil {
		merged, err := m.mergeOnce(w)
		if err != nil {
			m.failed(w, err)
			break
		}
		if !merged {
			break
		}
	}
	if m.unsaved(w) {
		if err := m.flush(w); err != nil {
			m.failed(w, err)
		}
	}
	m.wantGraphs(w)
}

// failed notes and logs what went wrong in the background.
func (m *Manager) failed(w *workspace, err error) {
	message := err.Error()
	w.failure.Store(&message)
	m.options.Log.Error("index maintenance failed", "workspace", w.id, "error", err)
}

// mergeOnce merges what the policy picks, and reports whether that was
// anything. The caller has locked maintenance.
func (m *Manager) mergeOnce(w *workspace) (bool, error) {
	s := w.acquire()
	if s == nil {
		return false, nil
	}
	defer s.release()
	for _, c := range s.collections() {
		picked := pickMerge(c.parts, math.MaxInt)
		if len(picked) == 0 {
			picked = pickPurge(c.parts)
		}
		if len(picked) == 0 {
			continue
		}
		merged, err := newMerger(m.made, picked).content(c.kind)
		if err != nil {
			return false, err
		}
		segment, err := m.keep(w, merged)
		if err != nil {
			return false, err
		}
		defer m.let(segment)
		m.exchange(w, c.kind, picked, segment)
		return true, nil
	}
	return false, nil
}

// exchange puts a merged segment into the place of the parts that it was made
// of, unless one of them is not there any more: then the merge was for nothing.
// Items that died since are dead in it.
func (m *Manager) exchange(w *workspace, kind Kind, old []*part, merged *segment) {
	w.writing.Lock()
	defer w.writing.Unlock()
	s := w.current.Load()
	if s == nil {
		return
	}
	var parts []*part
	var died []int
	found := 0
	for _, p := range s.collection(kind).parts {
		i := slices.IndexFunc(old, func(o *part) bool { return o.segment == p.segment })
		if i < 0 {
			parts = append(parts, p)
			continue
		}
		found++
		died = append(died, diedSince(old[i], p, merged)...)
	}
	if found < len(old) {
		return
	}
	next := &part{segment: merged, dead: emptyMask(merged).with(merged, died)}
	if next.live() > 0 {
		parts = append(parts, next)
	}
	w.publish(s.with(newCollection(kind, parts, m.made)))
}

// diedSince returns the rows in a merged segment of the items that are dead in
// a part and were not when it was merged.
func diedSince(before, now *part, merged *segment) []int {
	var rows []int
	for item := range now.segment.items {
		first := int(now.segment.itemRow[item])
		if !now.dead.rows.Contains(first) || before.dead.rows.Contains(first) {
			continue
		}
		if at := merged.find(now.segment.id(item)); at >= 0 {
			for row := merged.itemRow[at]; row < merged.itemRow[at+1]; row++ {
				rows = append(rows, int(row))
			}
		}
	}
	return rows
}
