package view

import (
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// mutants are bugs, each with the claim that it must violate, and faults that the text does not tolerate.
var mutants = []model.Variant{
	{
		Name: "forwards-nothing", Title: "second picture: a message that has reached only some is not forwarded",
		Breaks: "virtual synchrony", Show: crashing(multicast.Sized(3, 1, 1), 1),
		Edit: define(func(d Definitions) Definitions { return forwardsNothing{d} }),
	},
	{
		Name: "view-then-message", Title: "third picture: a process installs a view without flushes, and delivers what arrives later",
		Breaks: "sending view delivery", Show: crashing(multicast.Sized(3, 1, 1), 1),
		Edit: define(func(d Definitions) Definitions { return viewThenMessage{noFlush{takesLate{keepsAll{d}}}} }),
	},
	{
		Name: "delivers-before-joining", Title: "fourth picture: a process delivers messages that are forwarded to it while it joins",
		Breaks: "nothing from before joining", Show: check(multicast.Sized(3, 1, 1).With(Joiners.Is(1))),
		Edit: define(func(d Definitions) Definitions { return deliversBeforeJoining{d} }),
	},
	{
		Name: "no-flush", Title: "a process installs a view as soon as it is announced",
		Breaks: "virtual synchrony", Show: check(multicast.Sized(3, 1, 1).With(Joiners.Is(1))),
		Edit: define(func(d Definitions) Definitions { return noFlush{d} }),
	},
	{
		Name: "flush-goes-first", Title: "a flush overtakes the copies that have not been sent yet",
		Breaks: "virtual synchrony", Show: crashing(multicast.Sized(3, 1, 1), 1),
		Edit: define(func(d Definitions) Definitions { return flushGoesFirst{d} }),
	},
	{
		Name: "no-fifo", Title: "channels are not FIFO: a flush overtakes a message",
		Breaks: "virtual synchrony", Show: check(multicast.Sized(3, 1, 1).With(Joiners.Is(1))),
		Edit: variant.Channel(model.Bag),
	},
	{
		Name: "sends-meanwhile", Title: "a process multicasts in its view after its flush",
		Breaks: "virtual synchrony", Show: check(multicast.Sized(3, 1, 1).With(Joiners.Is(1))),
		Edit: variant.Nodes(func(p Process) model.Node { return &eagerProcess{p} }),
	},
	{
		Name: "leavers-not-awaited", Title: "nobody waits for the flush of a leaving process",
		Breaks: "agreement", Show: check(multicast.Sized(3, 1, 1).With(Leavers.Is(1))),
		Edit: define(func(d Definitions) Definitions { return leaversNotAwaited{d} }),
	},
	{
		// Two changes have to overlap: a flush of the first counts for the second, before which a
		// message has been sent on that the first flush did not cover.
		Name: "any-flush", Title: "a flush counts for the next view as well",
		Breaks: "virtual synchrony", Show: crashing(multicast.Sized(3, 1, 1).With(Joiners.Is(1)), 1),
		Edit: define(func(d Definitions) Definitions { return anyFlush{d} }),
	},
	{
		// A member has to crash between two overlapping view changes. Its slow flush has to arrive after its
		// earlier messages were dropped.
		Name: "flush-of-the-dead", Title: "the flush of a process that has crashed counts, though its messages are dropped",
		Breaks: "virtual synchrony", Show: crashing(multicast.Sized(3, 1, 1).With(MayCrash.Is(1)), 1),
		Edit: renewed(func(d Definitions) Definitions { return flushOfTheDead{d} }),
	},
	{
		Name: "late-not-forwarded", Title: "a process does not forward what arrives after its flush",
		Breaks: "virtual synchrony", Show: crashing(multicast.Sized(3, 1, 1).With(MayCrash.Is(1)), 1),
		Edit: renewed(func(d Definitions) Definitions { return lateNotForwarded{d} }),
	},
	{
		// The edit looks like an optimization: a member sends its messages to all before its flush. But it
		// may crash then, and a process that learns of the crash drops its messages in flight.
		Name: "forwards-of-the-gone", Title: "a process forwards only the messages of processes that are not members of the new view",
		Breaks: "virtual synchrony", Show: crashing(multicast.Sized(3, 1, 1).With(MayCrash.Is(1)), 1),
		Edit: renewed(func(d Definitions) Definitions { return forwardsOfTheGone{d} }),
	},
	{
		Name: "skips-views", Title: "a view does not take effect if the next one overtakes it",
		Breaks: "view order", Show: crashing(multicast.Sized(3, 1, 0).With(Joiners.Is(1)), 1),
		Edit: define(func(d Definitions) Definitions { return skipsViews{d} }),
	},
	{
		Name: "keeps-the-dead", Title: "the service does not hear of crashes",
		Breaks: "current members", Show: crashing(multicast.Sized(2, 1, 1), 1),
		Edit: variant.Nodes(func(s Service) model.Node { return &deafService{s} }),
	},
	{
		// The request has to arrive after its sender has crashed and the crash was reported to the service.
		Name: "admits-the-dead", Title: "the service admits a process though it knows that the process has crashed",
		Breaks: "progress", Show: crashing(multicast.Sized(2, 1, 0).With(Joiners.Is(1)), 1),
		Edit: variant.Nodes(func(s Service) model.Node { return &carelessService{s} }),
	},
	{
		Name: "message-lost", Title: "one fault beyond: a message is lost",
		Breaks: "agreement", Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Loss: 1}),
	},
	{
		Name: "flush-lost", Title: "one fault beyond: a message is lost, in a view change",
		Breaks: "progress", Show: variant.Beyond(multicast.Sized(2, 1, 0).With(Joiners.Is(1)), model.Faults{Loss: 1}),
	},
	{
		Name: "wrongly-suspected", Title: "one fault beyond: a member that is up is suspected, and does not hear that it is excluded",
		Breaks: "agreement", Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Suspicions: 1}),
	},
	{
		Name: "partitioned", Title: "one fault beyond: the network is partitioned, and heals",
		Breaks: "agreement", Show: variant.Beyond(multicast.Sized(2, 1, 1), model.Faults{Partitions: 1}),
	},
	{
		Name: "service-crashes", Title: "one fault beyond: the membership service crashes",
		Breaks: "operations return", Show: crashing(multicast.Sized(2, 1, 0).With(Joiners.Is(1)), 1),
		Edit: func(s *model.System) { s.Nodes[setup(s).Service].Crash = model.CrashStop },
	},
}

func check(c model.Config) model.Check { return model.Check{Config: c} }

func crashing(c model.Config, crashes int) model.Check {
	return failing(c, model.Faults{Crashes: crashes})
}

// renewed returns an edit by which the service announces a second view with the members of the first at the
// beginning of the run. This replaces a fourth process that joins.
func renewed(f func(Definitions) Definitions) func(*model.System) {
	return variant.All(define(f), variant.Nodes(func(s Service) model.Node { return &renewingService{s} }))
}

type forwardsNothing struct{ Definitions }

// Forward returns false.
func (forwardsNothing) Forward(model.NodeID, Data, View) bool { return false }

// Late does nothing.
func (forwardsNothing) Late(*Process, model.Env) {}

type viewThenMessage struct{ Definitions }

// Deliver reports whether the message is of the current view or an earlier view.
func (viewThenMessage) Deliver(d Data, in int) bool { return d.View <= in }

type deliversBeforeJoining struct{ Definitions }

// Deliver also delivers before the first view.
func (deliversBeforeJoining) Deliver(d Data, in int) bool { return d.View == in || in == 0 }

type noFlush struct{ Definitions }

// Awaits returns false.
func (noFlush) Awaits(model.NodeID, int, View) bool { return false }

type flushGoesFirst struct{ Definitions }

// Send sends a flush at once.
func (f flushGoesFirst) Send(p *Process, env model.Env, to []model.NodeID, m any) {
	if _, is := m.(Flush); is {
		env.Broadcast(to, m)
	} else {
		f.Definitions.Send(p, env, to, m)
	}
}

type leaversNotAwaited struct{ Definitions }

// Awaits waits only for members of the new view.
func (leaversNotAwaited) Awaits(of model.NodeID, flushed int, to View) bool {
	return flushed < to.Number && slices.Contains(to.Members, of)
}

type anyFlush struct{ Definitions }

// Awaits accepts a flush for the previous view, except for the first view.
func (anyFlush) Awaits(_ model.NodeID, flushed int, to View) bool {
	return flushed < to.Number-1 || flushed < 2
}

type flushOfTheDead struct{ Definitions }

// Accepts accepts every flush.
func (f flushOfTheDead) Accepts(m any, from model.NodeID, down []model.NodeID) bool {
	_, flush := m.(Flush)
	return flush || f.Definitions.Accepts(m, from, down)
}

type lateNotForwarded struct{ Definitions }

// Late does nothing.
func (lateNotForwarded) Late(*Process, model.Env) {}

type forwardsOfTheGone struct{ Definitions }

// Forward reports whether the sender of a message is not a member.
func (forwardsOfTheGone) Forward(_ model.NodeID, d Data, to View) bool {
	return !slices.Contains(to.Members, d.Message.Sender)
}

type skipsViews struct{ Definitions }

// InEffect returns only the last ready view.
func (skipsViews) InEffect(ready []View) []View { return ready[max(0, len(ready)-1):] }

type renewingService struct{ Service }

// Start announces two views.
func (s *renewingService) Start(env model.Env) {
	s.Service.Start(env)
	s.announce(env, s.View.Members, nil)
}

type eagerProcess struct{ Process }

// Invoke ignores announced views.
func (p *eagerProcess) Invoke(env model.Env, op any) {
	next := p.Next
	p.Next = nil
	p.Process.Invoke(env, op)
	p.Next = next
}

type deafService struct{ Service }

// Suspect does nothing.
func (*deafService) Suspect(model.Env, model.NodeID) {}

type carelessService struct{ Service }

// Receive admits every process that asks.
func (s *carelessService) Receive(env model.Env, from model.NodeID, m any) {
	down := s.View.Down
	s.View.Down = nil
	s.Service.Receive(env, from, m)
	s.View.Down = down
}
