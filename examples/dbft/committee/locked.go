package committee

import (
	"fmt"
	"strings"

	"contend/model"
)

// A locked monitor detects that no validator can ever accept a block. A validator that has committed in a
// view never leaves the view. A validator that has not committed may still commit in its current view and in
// later views. A view can get M commits if at least M validators have committed in it or may commit in it. If
// no view can get M commits, no block will ever be accepted, whatever the network does.
//
// The condition is conservative, so that it reports only real locks. It ignores whether the validators that
// are behind can learn of the view. It counts a Commit of the liar as soon as one correct validator has it.
// In all other respects the liar is silent.
type locked struct {
	cfg   *Config
	stops bool // a validator that crashes does not restart
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

// can returns the number of validators that have committed in a view or may commit in it.
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

// describe returns the views and commitments of all validators.
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
