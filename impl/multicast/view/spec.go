package view

import (
	"slices"

	"contend/model"
)

// Definitions are the definitions that the algorithm uses. A variant overrides one of them, and embeds the
// others.
type Definitions interface {
	// Send hands a message for some nodes to the network.
	Send(p *Process, env model.Env, to []model.NodeID, m any)
	// Accepts reports whether a process accepts a message from another process, given the processes that have
	// crashed according to the last announced view.
	Accepts(m any, from model.NodeID, down []model.NodeID) bool
	// Flushes reports whether a process flushes as soon as a view is announced.
	Flushes() bool
	// Late is called when a message arrives at a process that has sent its flush.
	Late(p *Process, env model.Env)
	// InEffect returns the views that take effect, among the views that may take effect.
	InEffect(ready []View) []View
	// Forward reports whether a message of a view before an announced view is sent to the members of the
	// announced view.
	Forward(self model.NodeID, d Data, to View) bool
	// Awaits reports whether a process waits for a flush of another process before an announced view takes
	// effect. The last flush that it has received from that process is for the view with the number flushed.
	Awaits(of model.NodeID, flushed int, to View) bool
	// Keeps reports whether a process needs a message of a view. The process has the view with the number in,
	// or will have it as its first view.
	Keeps(d Data, in int) bool
	// Deliver reports whether a message of a view is delivered at once in the process's current view.
	Deliver(d Data, in int) bool
}

// Spec is the algorithm. The given number of first processes may crash.
type Spec struct{ faulty int }

// Send sends the copies of a process that may crash one by one.
func (s Spec) Send(p *Process, env model.Env, to []model.NodeID, m any) {
	if int(env.Self()) < s.faulty {
		oneByOne(p, env, to, m)
	} else {
		env.Broadcast(to, m) // which makes no difference, as copies take any time on the way
	}
}

// Accepts rejects messages of a crashed process.
func (Spec) Accepts(_ any, from model.NodeID, down []model.NodeID) bool {
	return !slices.Contains(down, from)
}

// Flushes returns true.
func (Spec) Flushes() bool { return true }

// Late forwards them.
func (Spec) Late(p *Process, env model.Env) { p.forward(env) }

// InEffect returns all ready views, one after another.
func (Spec) InEffect(ready []View) []View { return ready }

// Forward reports whether the message is from another process: copies of a process's own messages precede its
// flush anyway.
func (Spec) Forward(self model.NodeID, d Data, _ View) bool { return d.Message.Sender != self }

// Awaits waits for a flush for this view.
func (Spec) Awaits(_ model.NodeID, flushed int, to View) bool { return flushed < to.Number }

// Keeps drops messages of earlier views.
func (Spec) Keeps(d Data, in int) bool { return d.View >= in }

// Deliver delivers a message in the view in which it was sent.
func (Spec) Deliver(d Data, in int) bool { return d.View == in }
