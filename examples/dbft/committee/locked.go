package committee

import (
	"fmt"
	"strings"

	"contend/model"
)

// A locked monitor looks for the end of all progress. A validator that has committed in a view commits in no other, and stays there; one
// that has not may still commit in its own view and in those after it. A view can get M commits as long as so many validators have
// committed in it or may. When no view can, no block will ever be accepted, whatever the network does.
//
// It is generous, so that what it finds is a lock: it does not ask whether the validators that are behind can learn of the view, and a
// Commit of the liar counts once one correct validator has it. Beyond that a liar is silent.
type locked struct {
	cfg   *Config
	stops bool // who crashes does not come back
	At    map[model.NodeID]byte
	In    map[model.NodeID]byte // the view of its Commit
	Down  map[model.NodeID]bool
	Heard map[byte]bool // views of which a Commit of the liar has arrived
	Done  bool
}

func (l *locked) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Entered:
		l.At[o.Node] = n.View
	case Committed:
		l.In[o.Node] = n.View
	case Heard:
		l.Heard[n.View] = true
	case Accepted:
		l.Done = true
	}
	if o.Kind == model.Crashed && l.stops {
		l.Down[o.Node] = true
	}
	if l.Done {
		clear(l.At)
		clear(l.In)
		clear(l.Heard)
		clear(l.Down)
		return
	}
	if len(l.In) > 0 {
		w.Witness()
	}
	if l.over() {
		w.Violate("no view can get %d commits any more: %s", l.cfg.m(), l.describe())
	}
}

// over reports whether no view is left.
func (l *locked) over() bool {
	last := byte(0)
	for _, view := range l.At {
		last = max(last, view)
	}
	for view := byte(0); view <= last; view++ {
		if l.can(view) >= l.cfg.m() {
			return false
		}
	}
	return true
}

// can is how many validators have committed in a view or may.
func (l *locked) can(view byte) int {
	n := 0
	for i := range l.cfg.Validators {
		id := model.NodeID(i)
		in, has := l.In[id]
		switch {
		case i == l.cfg.Liar:
			if l.Heard[view] {
				n++
			}
		case has && in == view, !has && !l.Down[id] && l.At[id] <= view:
			n++
		}
	}
	return n
}

// describe says where all are.
func (l *locked) describe() string {
	var all []string
	for i := range l.cfg.Validators {
		id := model.NodeID(i)
		in, has := l.In[id]
		switch {
		case i == l.cfg.Liar:
			all = append(all, fmt.Sprintf("cn%d lies", i))
		case has:
			all = append(all, fmt.Sprintf("cn%d has committed in view %d", i, in))
		case l.Down[id]:
			all = append(all, fmt.Sprintf("cn%d is down", i))
		default:
			all = append(all, fmt.Sprintf("cn%d is in view %d", i, l.At[id]))
		}
	}
	return strings.Join(all, ", ")
}
