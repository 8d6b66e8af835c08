package mutex

import (
	"maps"
	"slices"

	"contend/model"
	"contend/model/claims"
)

// Waiting is noted by the holder of a token. It lists the processes in the holder's queue, the next process first.
type Waiting struct{ Queue []model.NodeID }

// Overtaking claims that no process is overtaken forever. While its request is in the queue of the token's holder, as
// noted by [Waiting], each other process enters at most once.
func Overtaking(source, proof string, assumes ...model.Assumption) model.Claim {
	return claims.From(model.Claim{
		Name: "bounded overtaking", Kind: model.Always,
		Monitor: func(*model.System) model.Monitor { return &overtaking{} },
		Apart:   func(c model.Check) model.Check { return c },
	}, source, proof, assumes...)
}

type overtaking struct {
	By map[model.NodeID][]model.NodeID // by waiting process: the processes that have entered since
}

func (w *overtaking) Observe(watch model.Watch, o model.Observation) {
	switch o.Kind {
	case model.Noted:
		if note, ok := o.Value.(Waiting); ok {
			w.join(note.Queue)
		}
	case model.Returned:
		delete(w.By, o.Node)
		w.enter(watch, o.Node)
	case model.Crashed:
		delete(w.By, o.Node)
	}
}

// enter adds an entry to the list of each waiting process.
func (w *overtaking) enter(watch model.Watch, id model.NodeID) {
	for _, who := range slices.Sorted(maps.Keys(w.By)) {
		watch.Witness()
		if slices.Contains(w.By[who], id) {
			watch.Violate("it enters a second time while another waits in the queue of the token")
			continue // further entries are not counted
		}
		w.By[who] = append(w.By[who], id)
		slices.Sort(w.By[who])
	}
}

func (w *overtaking) join(queue []model.NodeID) {
	for _, who := range queue {
		if _, waits := w.By[who]; !waits {
			w.By[who] = []model.NodeID{}
		}
	}
}
