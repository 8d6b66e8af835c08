package view

import (
	"fmt"
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/claims"
)

const (
	source = "SDX lecture, atomic multicast"
	wanted = "SDX lecture, desired properties for reliable multicast"
	page   = "docs/proofs/multicast-view.md#"
)

// Group reads the operations and the deliveries of the protocol.
var Group = claims.Group{
	Join:    func(call any) bool { _, is := call.(Join); return is },
	Leave:   func(call any) bool { _, is := call.(Leave); return is },
	First:   func(s *model.System) []model.NodeID { return setup(s).Founders },
	Message: multicast.Named,
}

// Views reads the views.
var Views = claims.Views{
	Group: Group,
	Installed: func(note any) (claims.View, bool) {
		is, ok := note.(Installed)
		return claims.View{Number: is.View.Number, Members: is.View.Members}, ok
	},
	Transmitted: func(note any) bool { _, is := note.(Transmitted); return is },
}

// failures are the failures of the text: members crash, and the crash is detected; messages arrive.
var failures = []model.Assumption{model.NoLoss, model.NoSuspicion}

var claimed = []model.Claim{
	claims.From(Views.VirtualSynchrony(), source+`: "virtual synchrony"`, page+"virtual-synchrony", failures...),
	claims.From(Views.ViewAgreement(), source+`: "agree on the current group membership"`, page+"views"),
	claims.From(Views.ViewOrder(), source+`: "delivered to members in total order"`, page+"views", model.NoLoss),
	claims.From(Views.SelfInclusion(), source+`: "only to the current non-faulty members"`, page+"views"),
	claims.From(Views.SendingView(), source+`: "associated with a group view", and the third picture`, page+"sending-view-delivery"),
	claims.From(Views.NothingFromBefore(), source+", fourth picture", page+"sending-view-delivery"),
	statement("members only", model.Always, `: "delivered only to the current non-faulty members"`, "views", func(s *model.System) model.Monitor {
		return &membersOnly{group: &Group, Members: members(s), In: map[model.NodeID]int{}}
	}),
	multicast.Claim(Group, multicast.Integrity, wanted+" 1", page+"integrity"),
	multicast.Claim(Group, multicast.Validity, wanted+" 2", page+"validity", failures...),
	multicast.Claim(Group, multicast.Agreement, wanted+" 3", page+"agreement", failures...),
	multicast.Claim(Group, multicast.UniformAgreement, source+`: "either all processes or none at all", read of faulty ones too`, page+"uniform-agreement", failures...),
	multicast.Claim(Group, multicast.TotalOrder, `SDX lecture, multicast communication: "in the same order to all processes"`, page+"orders", failures...),
	statement("progress", model.Eventually, `: "the new view comes into effect"`, "progress", func(*model.System) model.Monitor {
		return &progress{In: map[model.NodeID]int{}}
	}, model.NoLoss),
	statement("current members", model.Eventually, `: "keeps all members updated on who the current members of the group are"`, "progress", func(s *model.System) model.Monitor {
		return &current{group: &Group, Members: members(s)}
	}, failures...),
	{
		Name: "operations return", Kind: model.Eventually, Done: true, Source: source, Proof: page + "progress",
		Assumes: append([]model.Assumption{model.NoMemoryLoss}, failures...),
	},
}

// properties are statements that the text does not claim, and runs that it shows.
var properties = append([]model.Claim{
	statement("lost with its sender", model.Sometimes, ", first picture", "the-four-pictures", pictured(func(had, got, _ int) bool {
		return had+got == 0
	})),
	statement("completed by the others", model.Sometimes, ", second picture", "the-four-pictures", pictured(func(had, got, others int) bool {
		return had == 1 && had+got == others
	})),
	Views.UniformVirtualSynchrony(),
	{
		Name: "completed everywhere", Kind: model.Always, Assumes: []model.Assumption{model.NoMemoryLoss},
		Monitor: func(*model.System) model.Monitor { return &everywhere{} },
	},
}, multicast.Others(Group, claimed)...)

// statement returns a claim of the text that only this protocol has.
func statement(name string, kind model.Kind, at, anchor string, monitor func(*model.System) model.Monitor, assumes ...model.Assumption) model.Claim {
	c := model.Claim{Name: name, Kind: kind, Assumes: []model.Assumption{model.NoMemoryLoss}, Monitor: monitor}
	return claims.From(c, source+at, page+anchor, assumes...)
}

func setup(s *model.System) *Config { return s.Setup.(*Config) }

// members returns the initial members, for monitors.
func members(s *model.System) claims.Members {
	m := claims.Members{Standing: map[model.NodeID]claims.Standing{}}
	for _, id := range setup(s).Founders {
		m.Standing[id] = claims.Member
	}
	return m
}

// membersOnly claims that a process delivers only while it is a member and has a view.
type membersOnly struct {
	group   *claims.Group
	Members claims.Members
	In      map[model.NodeID]int
}

func (m *membersOnly) Observe(w model.Watch, o model.Observation) {
	m.Members.Follow(m.group, o)
	if is, ok := o.Value.(Installed); ok {
		m.In[o.Node] = is.View.Number
	}
	if o.Kind != model.Delivered {
		return
	}
	w.Witness()
	if m.In[o.Node] == 0 || m.Members.Standing[o.Node] == claims.Outside {
		w.Violate("it delivers a message, but is not a member")
	}
}

// progress claims that each announced view takes effect at all its members that are up.
type progress struct {
	Last View
	In   map[model.NodeID]int // the view of each process that is up and has one
	Gone map[model.NodeID]bool
}

func (p *progress) Observe(w model.Watch, o model.Observation) {
	switch note := o.Value.(type) {
	case Announced:
		p.Last = note.View
	case Installed:
		w.Witness()
		p.In[o.Node] = note.View.Number
	}
	if o.Kind == model.Crashed {
		delete(p.In, o.Node)
		p.Gone[o.Node] = true
	}
}

// Reached reports whether the last view is in effect at its members.
func (p *progress) Reached() bool {
	for _, id := range p.Last.Members {
		if !p.Gone[id] && p.In[id] != p.Last.Number {
			return false
		}
	}
	return true
}

// Misses returns the processes at which the last view is not in effect.
func (p *progress) Misses(name func(model.NodeID) string) (all []string) {
	for _, id := range p.Last.Members {
		if !p.Gone[id] && p.In[id] != p.Last.Number {
			all = append(all, fmt.Sprintf("%s is up and has not installed view %d, the last that was announced", name(id), p.Last.Number))
		}
	}
	return all
}

// current claims that eventually the last view has exactly the members: the processes that have joined, are
// up, and do not leave.
type current struct {
	group   *claims.Group
	Members claims.Members
	Last    View
}

func (c *current) Observe(w model.Watch, o model.Observation) {
	c.Members.Follow(c.group, o)
	if is, ok := o.Value.(Announced); ok {
		w.Witness()
		c.Last = is.View
	}
}

// Reached reports whether the view is correct, except for processes that are joining or leaving.
func (c *current) Reached() bool {
	for id, is := range c.Members.Standing {
		if is == claims.Member && !slices.Contains(c.Last.Members, id) {
			return false
		}
	}
	for _, id := range c.Last.Members {
		if c.Members.Standing[id] == claims.Outside {
			return false
		}
	}
	return true
}

// Misses returns the processes that the view should not have, or lacks.
func (c *current) Misses(name func(model.NodeID) string) (all []string) {
	for id, is := range c.Members.Standing {
		if is == claims.Member && !slices.Contains(c.Last.Members, id) {
			all = append(all, fmt.Sprintf("%s is a member, but not in view %d, the last that was announced", name(id), c.Last.Number))
		}
	}
	for _, id := range c.Last.Members {
		if c.Members.Standing[id] == claims.Outside {
			all = append(all, fmt.Sprintf("%s is no longer a member, but still in view %d, the last that was announced", name(id), c.Last.Number))
		}
	}
	slices.Sort(all)
	return all
}

// everywhere claims that no process delivers a message of a view after a later view is in effect at any
// process.
type everywhere struct {
	Last int
	In   map[model.NodeID]int
}

func (e *everywhere) Observe(w model.Watch, o model.Observation) {
	if is, ok := o.Value.(Installed); ok {
		e.In[o.Node] = is.View.Number
		e.Last = max(e.Last, is.View.Number)
	}
	if o.Kind != model.Delivered {
		return
	}
	w.Witness()
	if e.In[o.Node] < e.Last {
		w.Violate("it delivers a message in view %d, and view %d is in effect elsewhere", e.In[o.Node], e.Last)
	}
}

// A picture follows the first message of the first process, p. It stores the other processes that have
// delivered it when p crashes, and those that deliver it later, until all of them have a view without p.
type picture struct {
	shows  func(had, got, others int) bool
	others int
	Sent   bool
	Down   bool                  // p
	Had    map[model.NodeID]bool // processes that had delivered it when p crashed
	Got    map[model.NodeID]bool // processes that delivered it later, before a view without p
	In     map[model.NodeID]bool // processes with a view without p
}

// pictured makes the monitor of a picture.
func pictured(shows func(had, got, others int) bool) func(*model.System) model.Monitor {
	return func(s *model.System) model.Monitor { return &picture{shows: shows, others: s.Config.N - 1} }
}

func (p *picture) Observe(w model.Watch, o model.Observation) {
	switch note := o.Value.(type) {
	case Transmitted:
		p.Sent = p.Sent || o.Node == 0
	case Installed:
		if !slices.Contains(note.View.Members, 0) {
			p.In[o.Node] = true
		}
	case multicast.Message:
		if note != (multicast.Message{Sender: 0, Number: 1}) || o.Node == 0 {
			return
		}
		if !p.Down {
			p.Had[o.Node] = true
		} else if !p.In[o.Node] {
			p.Got[o.Node] = true
		}
	}
	if o.Kind == model.Crashed && o.Node == 0 {
		w.Witness()
		p.Down = true
	}
}

// Reached reports whether the run matches the picture.
func (p *picture) Reached() bool {
	return p.Sent && p.Down && len(p.In) == p.others && p.shows(len(p.Had), len(p.Got), p.others)
}
