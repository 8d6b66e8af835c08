package claims

import (
	"maps"
	"slices"

	"contend/model"
)

// Views defines the membership of a group whose nodes agree on it: members install views in order, and
// multicast in them. Its methods are the claims of virtual synchrony (Birman and Joseph, 1987), also named
// view-synchronous multicast. Its functions are called for observations, and must be pure.
type Views struct {
	// Group defines multicasts and deliveries.
	Group Group
	// Installed returns the view that a note installs, if any.
	Installed func(note any) (View, bool)
	// Transmitted reports whether a note means that its node sends the next of its messages, in its present
	// view; nil means that the invocation does.
	Transmitted func(note any) bool
}

// A View is a membership, identified by its number ≥ 1.
type View struct {
	Number  int
	Members []model.NodeID
}

func (v *Views) transmits(o model.Observation) bool {
	if v.Transmitted == nil {
		return o.Kind == model.Invoked && v.Group.multicasts(o.Value)
	}
	return o.Kind == model.Noted && v.Transmitted(o.Value)
}

func (v *Views) installs(o model.Observation) (View, bool) {
	if o.Kind != model.Noted {
		return View{}, false
	}
	view, ok := v.Installed(o.Value)
	if ok && view.Number < 1 {
		model.Misused("a node installs view %d, but views are numbered from 1", view.Number)
	}
	return view, ok
}

// claim returns a claim about views.
func (v Views) claim(name string, monitor func(s *model.System) model.Monitor) model.Claim {
	return v.Group.claim(name, model.Always, monitor)
}

// VirtualSynchrony claims that any two nodes that install a view, and then the same next view, have delivered
// the same messages in between. A node that has crashed does not count. Kind always.
func (v Views) VirtualSynchrony() model.Claim { return v.synchrony("virtual synchrony", false) }

// UniformVirtualSynchrony is [Views.VirtualSynchrony] that also counts nodes that crash later.
func (v Views) UniformVirtualSynchrony() model.Claim {
	return v.synchrony("uniform virtual synchrony", true)
}

func (v Views) synchrony(name string, uniform bool) model.Claim {
	return v.claim(name, func(s *model.System) model.Monitor {
		m := &synchrony{v: &v, uniform: uniform, In: map[model.NodeID]int{}}
		for _, id := range s.IDs(processes) {
			m.In[id] = 0
		}
		return m
	})
}

type synchrony struct {
	v         *Views
	uniform   bool
	In        map[model.NodeID]int             // the view of each node that is up; 0 before its first
	Delivered map[model.NodeID]Messages        // by each node, in its present view
	Passed    map[int]map[model.NodeID]passage // by view and node
}

// A passage is the step of a node from a view to its next view, with its deliveries in the earlier view.
type passage struct {
	To        int
	Delivered Messages
}

func (s *synchrony) Observe(w model.Watch, o model.Observation) {
	view, installs := s.v.installs(o)
	switch {
	case o.Kind == model.Crashed:
		s.crashed(o.Node)
	case o.Kind == model.Delivered:
		m := s.v.Group.Message(o.Value)
		mustBeNumber(m.Number)
		if s.Delivered[o.Node] == nil {
			s.Delivered[o.Node] = Messages{}
		}
		s.Delivered[o.Node].add(m)
	case installs:
		s.passes(w, o.Node, passage{view.Number, s.Delivered[o.Node]})
	default:
		return
	}
	s.forget()
}

func (s *synchrony) crashed(id model.NodeID) {
	delete(s.In, id)
	delete(s.Delivered, id)
	for from := range s.Passed {
		if !s.uniform {
			delete(s.Passed[from], id)
		}
	}
}

// passes compares a passage with the passages of other nodes.
func (s *synchrony) passes(w model.Watch, id model.NodeID, p passage) {
	from := s.In[id]
	s.In[id] = p.To
	delete(s.Delivered, id)
	if from == 0 {
		return
	}
	for _, node := range sorted(s.Passed[from]) {
		other := s.Passed[from][node]
		if other.To != p.To {
			continue
		}
		if len(p.Delivered)+len(other.Delivered) > 0 {
			w.Witness()
		}
		if !maps.Equal(p.Delivered, other.Delivered) {
			w.Violate("it has not delivered the same messages between views %d and %d as another node", from, p.To)
			break
		}
	}
	if s.Passed[from] == nil {
		s.Passed[from] = map[model.NodeID]passage{}
	}
	s.Passed[from][id] = p
}

// forget removes the passages from views that no node can leave any more. A node that installs views in another
// order than by number violates [Views.ViewOrder].
func (s *synchrony) forget() {
	least := -1
	for _, in := range s.In {
		if least < 0 || in < least {
			least = in
		}
	}
	for from := range s.Passed {
		if len(s.Passed[from]) == 0 || least < 0 || from < least {
			delete(s.Passed, from)
		}
	}
}

// ViewAgreement claims that a view has the same members at all nodes that install it. Kind always.
func (v Views) ViewAgreement() model.Claim {
	return v.claim("view agreement", func(*model.System) model.Monitor { return &sameMembers{v: &v} })
}

type sameMembers struct {
	v       *Views
	Members map[int]map[model.NodeID]bool // of each view
}

func (s *sameMembers) Observe(w model.Watch, o model.Observation) {
	view, installs := s.v.installs(o)
	if !installs {
		return
	}
	members := map[model.NodeID]bool{}
	for _, id := range view.Members {
		members[id] = true
	}
	if known, ok := s.Members[view.Number]; !ok {
		s.Members[view.Number] = members
	} else {
		w.Witness()
		if !maps.Equal(known, members) {
			w.Violate("it installs view %d with other members than another node", view.Number)
		}
	}
}

// ViewOrder claims that views are installed in a total order. Each node installs them by increasing numbers,
// and nodes that install a view and then another install the same one next. Kind always.
func (v Views) ViewOrder() model.Claim {
	return v.claim("view order", func(*model.System) model.Monitor { return &inOrder{v: &v} })
}

type inOrder struct {
	v    *Views
	In   map[model.NodeID]int
	Next map[int]int // the view after each, at the first node that installed both
}

func (i *inOrder) Observe(w model.Watch, o model.Observation) {
	view, installs := i.v.installs(o)
	if !installs {
		return
	}
	from := i.In[o.Node]
	i.In[o.Node] = view.Number
	if from == 0 {
		return
	}
	w.Witness()
	next, known := i.Next[from]
	switch {
	case view.Number <= from:
		w.Violate("it installs view %d after view %d", view.Number, from)
	case known && next != view.Number:
		w.Violate("it installs view %d next after view %d, and another node view %d", view.Number, from, next)
	}
	i.Next[from] = view.Number
}

// SelfInclusion claims that a node installs only views that contain it. Kind always.
func (v Views) SelfInclusion() model.Claim {
	return v.claim("self-inclusion", func(*model.System) model.Monitor { return &included{&v} })
}

type included struct{ v *Views }

func (i *included) Observe(w model.Watch, o model.Observation) {
	if view, installs := i.v.installs(o); installs {
		w.Witness()
		if !slices.Contains(view.Members, o.Node) {
			w.Violate("it installs view %d, of which it is no member", view.Number)
		}
	}
}

// SendingView claims that a message is delivered in the view in which it was sent: sending view delivery. Kind
// always.
func (v Views) SendingView() model.Claim {
	return v.claim("sending view delivery", func(*model.System) model.Monitor {
		return &sending{v: &v, wrong: func(sent, _, in int) (string, bool) {
			return "it delivers a message of another view than its own", sent != in
		}}
	})
}

// NothingFromBefore claims that a node delivers no message that was sent in an earlier view than its first.
// Kind always.
func (v Views) NothingFromBefore() model.Claim {
	return v.claim("nothing from before joining", func(*model.System) model.Monitor {
		return &sending{v: &v, wrong: func(sent, first, _ int) (string, bool) {
			return "it delivers a message of a view from before it joined", first == 0 || sent < first
		}}
	})
}

// A sending checks deliveries by the view in which the message was sent, and by the first and the present view
// of the receiver.
type sending struct {
	v         *Views
	wrong     func(sent, first, in int) (string, bool)
	First, In map[model.NodeID]int
	Sent      map[model.NodeID][]int // the views of the messages of each sender
}

func (s *sending) Observe(w model.Watch, o model.Observation) {
	if view, installs := s.v.installs(o); installs {
		s.In[o.Node] = view.Number
		if s.First[o.Node] == 0 {
			s.First[o.Node] = view.Number
		}
	}
	if s.v.transmits(o) {
		s.Sent[o.Node] = append(s.Sent[o.Node], s.In[o.Node])
	}
	if o.Kind != model.Delivered {
		return
	}
	m := s.v.Group.Message(o.Value)
	if m.Number < 1 || m.Number > len(s.Sent[m.Sender]) {
		w.Violate("it delivers a message that was not sent")
		return
	}
	w.Witness()
	if how, ok := s.wrong(s.Sent[m.Sender][m.Number-1], s.First[o.Node], s.In[o.Node]); ok {
		w.Violate("%s", how)
	}
}
