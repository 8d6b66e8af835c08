package purity

// A Relic is a node whose handler has returned, with its state at that time.
type Relic struct {
	Node    any
	Handler string
	State   string // encoded
	Slot    int    // the index of the node or monitor
}

// Relics stores nodes whose handlers have returned. The engines pass a new node to each handler, so these
// nodes must not change any more. A change reveals a handler that stores a node, or a part of it, and writes
// to it later. It also reveals a goroutine that writes to a node late.
//
// For each handler the first two nodes are stored, since a handler may store a node for good, and the last
// eight. Each Keep checks two nodes: one of the first, in turn, and the node that it replaces. So it costs
// two encodings. The zero Relics is empty.
type Relics struct {
	counts map[relicKind]int // the number of first nodes of each handler
	first  []Relic
	last   [lastKept]Relic
	runs   int
}

type relicKind struct {
	slot    int
	handler string
}

const (
	firstKept = 2
	lastKept  = 8
)

// Keep stores a node, and calls look for up to two stored nodes. Look must compare the nodes with their
// states.
func (r *Relics) Keep(x Relic, look func(Relic)) {
	r.runs++
	if n := len(r.first); n > 0 {
		look(r.first[r.runs%n])
	}
	if k := (relicKind{x.Slot, x.Handler}); r.counts[k] < firstKept {
		if r.counts == nil {
			r.counts = map[relicKind]int{}
		}
		r.counts[k]++
		r.first = append(r.first, x)
		return
	}
	slot := &r.last[r.runs%lastKept]
	if slot.Node != nil {
		look(*slot)
	}
	*slot = x
}

// Each calls look for all stored nodes.
func (r *Relics) Each(look func(Relic)) {
	for _, x := range r.first {
		look(x)
	}
	for _, x := range r.last {
		if x.Node != nil {
			look(x)
		}
	}
}
