package purity

// A Relic is a node that a handler was given, with the state in which the handler left it.
type Relic struct {
	Node    any
	Handler string
	State   string // encoded
	Slot    int    // which node or monitor it is
}

// Relics keep nodes after their handlers have returned. Whoever runs handlers gives each a node of its own, so that nothing may write to
// these nodes any more. A handler that keeps a node, or something that the node refers to, and writes to it in another state, is found by
// the difference; so is a goroutine that writes to a node late.
//
// Kept are the first two nodes of each handler, since a handler may keep a node for good, and the last few. For each node that is kept two
// are looked at: one of the first, in turn, and the one of the last whose place it takes. So a run costs two encodings more. The zero
// Relics are empty.
type Relics struct {
	kept  map[relicKind]int // how many of the first are of each handler
	first []Relic
	last  [lastKept]Relic
	runs  int
}

type relicKind struct {
	slot    int
	handler string
}

const (
	firstKept = 2
	lastKept  = 8
)

// Keep keeps a node, and calls look with nodes that were kept before.
func (r *Relics) Keep(x Relic, look func(Relic)) {
	r.runs++
	if n := len(r.first); n > 0 {
		look(r.first[r.runs%n])
	}
	if k := (relicKind{x.Slot, x.Handler}); r.kept[k] < firstKept {
		if r.kept == nil {
			r.kept = map[relicKind]int{}
		}
		r.kept[k]++
		r.first = append(r.first, x)
		return
	}
	at := &r.last[r.runs%lastKept]
	if at.Node != nil {
		look(*at)
	}
	*at = x
}

// Each calls look with all nodes that are kept.
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
