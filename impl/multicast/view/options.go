package view

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// options are other readings of the text, and edits that look like bugs but are not.
var options = []model.Variant{
	{
		Name: "takes-late", Title: "reading: a message that arrives before the new view takes effect is completed, whoever sent it",
		Unclaimed: []string{multicast.UniformAgreement, multicast.TotalOrder, multicast.Agreement},
		Show:      crashing(multicast.Sized(3, 1, 1), 1),
		Edit:      define(func(d Definitions) Definitions { return takesLate{d} }),
	},
	{
		Name: "uniform", Title: "reading: all or none, even for a process that delivers and crashes",
		Unclaimed: []string{multicast.TotalOrder},
		Show:      crashing(multicast.Sized(3, 1, 1), 1), Edit: uniform,
	},
	{
		Name: "ordered", Title: "reading: atomic includes the same order; the first member of a view sends for all",
		Unclaimed: []string{multicast.UniformAgreement, "sending view delivery", "nothing from before joining"},
		Show:      crashing(multicast.Sized(3, 2, 1), 1), Edit: ordered,
	},
	{
		Name: "own-too", Title: "a process forwards its own messages too, though copies of them precede its flush anyway",
		Unclaimed: loose, Show: crashing(multicast.Sized(3, 1, 3), 1),
		Edit: define(func(d Definitions) Definitions { return ownToo{d} }),
	},
	{
		Name: "not-to-joiners", Title: "unstable messages are not sent to joining processes, which do not need them",
		Unclaimed: loose, Show: crashing(multicast.Sized(3, 1, 3).With(Joiners.Is(1), MayCrash.Is(1)), 1),
		Edit: define(func(d Definitions) Definitions { return notToJoiners{d} }),
	},
	{
		Name: "keeps-all", Title: "a process never drops a message that it has had",
		Unclaimed: loose, Show: crashing(multicast.Sized(3, 1, 3), 1),
		Edit: define(func(d Definitions) Definitions { return keepsAll{d} }),
	},
	{
		Name: "announced-twice", Title: "the service sends each view message twice",
		Unclaimed: loose, Show: crashing(multicast.Sized(3, 1, 3), 1),
		Edit: variant.Nodes(func(s Service) model.Node { return &repeatingService{s} }),
	},
	{
		Name: "renewed", Title: "the service announces a view with the members of the previous one",
		Unclaimed: loose, Show: crashing(multicast.Sized(3, 1, 1).With(MayCrash.Is(1)), 1),
		Edit: renewed(func(d Definitions) Definitions { return d }),
	},
}

// loose are the claims that are false for the algorithm as printed.
var loose = []string{multicast.UniformAgreement, multicast.TotalOrder}

// define returns an edit by which f overrides a definition.
func define(f func(Definitions) Definitions) func(*model.System) {
	return variant.Setup(func(c *Config) { c.spec = f(c.spec) })
}

type takesLate struct{ Definitions }

// Accepts returns true.
func (takesLate) Accepts(any, model.NodeID, []model.NodeID) bool { return true }

type ownToo struct{ Definitions }

// Forward returns true.
func (ownToo) Forward(model.NodeID, Data, View) bool { return true }

type notToJoiners struct{ Definitions }

// Send sends messages of the view in effect to its members only.
func (n notToJoiners) Send(p *Process, env model.Env, to []model.NodeID, m any) {
	if d, is := m.(Data); is && d.View == p.View.Number {
		to = slices.DeleteFunc(to, func(id model.NodeID) bool { return !slices.Contains(p.View.Members, id) })
	}
	n.Definitions.Send(p, env, to, m)
}

type keepsAll struct{ Definitions }

// Keeps returns true.
func (keepsAll) Keeps(Data, int) bool { return true }

type repeatingService struct{ Service }

// Receive repeats the service's messages.
func (s *repeatingService) Receive(env model.Env, from model.NodeID, m any) {
	s.Service.Receive(repeating{env}, from, m)
}

// Suspect repeats the service's messages.
func (s *repeatingService) Suspect(env model.Env, id model.NodeID) {
	s.Service.Suspect(repeating{env}, id)
}

type repeating struct{ model.Env }

// Broadcast sends twice.
func (r repeating) Broadcast(to []model.NodeID, m any) {
	r.Env.Broadcast(to, m)
	r.Env.Broadcast(to, m)
}
