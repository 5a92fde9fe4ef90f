package search

import (
	"slices"
	"strings"
)

// supersession says that one document replaces another; both are positions in
// the list of documents.
type supersession struct{ newer, older int }

// supersessionEdges resolves the supersedes lists to pairs of documents, without
// self-links and without the pairs that lie on a cycle, sorted by the older
// document and then by the id of the newer. An entry names a document by id, by
// path, or by an id that differs in case only, when that fits exactly one.
func supersessionEdges(docs []DocumentFacts) []supersession {
	resolve := newReferences(docs)
	var edges []supersession
	for i, d := range docs {
		for _, name := range d.Supersedes {
			if j, ok := resolve.find(name); ok && j != i {
				edges = append(edges, supersession{newer: i, older: j})
			}
		}
	}
	component := components(len(docs), edges)
	edges = slices.DeleteFunc(edges, func(e supersession) bool { return component[e.newer] == component[e.older] })
	slices.SortFunc(edges, func(a, b supersession) int {
		if a.older != b.older {
			return a.older - b.older
		}
		return strings.Compare(docs[a.newer].ID, docs[b.newer].ID)
	})
	return slices.Compact(edges)
}

// references finds documents by the names that other documents use for them.
type references struct{ byID, byPath, byFolded map[string]int }

func newReferences(docs []DocumentFacts) references {
	r := references{make(map[string]int, len(docs)), make(map[string]int, len(docs)), make(map[string]int, len(docs))}
	put := func(m map[string]int, key string, i int) {
		if _, taken := m[key]; taken {
			i = -1
		}
		m[key] = i
	}
	for i, d := range docs {
		put(r.byID, d.ID, i)
		put(r.byPath, d.Path, i)
		put(r.byFolded, strings.ToLower(d.ID), i)
	}
	return r
}

func (r references) find(name string) (int, bool) {
	name = strings.TrimSpace(name)
	for _, try := range []struct {
		in  map[string]int
		key string
	}{{r.byID, name}, {r.byPath, strings.TrimPrefix(name, "/")}, {r.byFolded, strings.ToLower(name)}} {
		if i, ok := try.in[try.key]; ok && i >= 0 {
			return i, true
		}
	}
	return 0, false
}

// SupersessionCycles gives the ids of the documents on each cycle, self-links
// included, each cycle and the list of cycles in id order.
func SupersessionCycles(docs []DocumentFacts) [][]string {
	resolve := newReferences(docs)
	var edges []supersession
	var cycles [][]string
	for i, d := range docs {
		for _, name := range d.Supersedes {
			j, ok := resolve.find(name)
			if ok && j == i {
				cycles = append(cycles, []string{d.ID})
			} else if ok {
				edges = append(edges, supersession{newer: i, older: j})
			}
		}
	}
	members := map[int][]string{}
	for i, c := range components(len(docs), edges) {
		members[c] = append(members[c], docs[i].ID)
	}
	for _, ids := range members {
		if len(ids) > 1 {
			slices.Sort(ids)
			cycles = append(cycles, ids)
		}
	}
	slices.SortFunc(cycles, slices.Compare)
	return slices.CompactFunc(cycles, slices.Equal)
}

// components numbers the strongly connected components of the supersession
// graph (Tarjan 1972, with an explicit stack so that a long chain cannot
// exhaust the goroutine's).
func components(n int, edges []supersession) []int {
	next := make([][]int, n)
	for _, e := range edges {
		next[e.newer] = append(next[e.newer], e.older)
	}
	const unseen = -1
	order, low, component := make([]int, n), make([]int, n), make([]int, n)
	for i := range order {
		order[i], component[i] = unseen, unseen
	}
	type frame struct{ node, edge int }
	var path, open = []frame(nil), []int(nil)
	count, counter := 0, 0
	for root := range n {
		if order[root] != unseen {
			continue
		}
		path = append(path, frame{root, 0})
		for len(path) > 0 {
			top := &path[len(path)-1]
			v := top.node
			if top.edge == 0 {
				order[v], low[v] = counter, counter
				counter++
				open = append(open, v)
			}
			descended := false
			for top.edge < len(next[v]) {
				w := next[v][top.edge]
				top.edge++
				if order[w] == unseen {
					path = append(path, frame{w, 0})
					descended = true
					break
				}
				if component[w] == unseen {
					low[v] = min(low[v], order[w])
				}
			}
			if descended {
				continue
			}
			if low[v] == order[v] {
				for {
					w := open[len(open)-1]
					open = open[:len(open)-1]
					component[w] = count
					if w == v {
						break
					}
				}
				count++
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				parent := path[len(path)-1].node
				low[parent] = min(low[parent], low[v])
			}
		}
	}
	return component
}
