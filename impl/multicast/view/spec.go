package view

import (
	"slices"

	"contend/model"
)

// Definitions are what the algorithm is made of. A variant overrides one, and has the others from the definitions that it embeds.
type Definitions interface {
	// Send hands a message for some nodes to the network.
	Send(p *Process, env model.Env, to []model.NodeID, m any)
	// Accepts says whether a process takes a message from another, given the processes that have
	// crashed as of the last view that was announced to it.
	Accepts(m any, from model.NodeID, down []model.NodeID) bool
	// Flushes says whether a process flushes as soon as a view is announced.
	Flushes() bool
	// Late is what a process that has sent its flush does with messages that arrive later.
	Late(p *Process, env model.Env)
	// InEffect says which of the views that may take effect do so.
	InEffect(ready []View) []View
	// Forward says whether a message of a view before an announced one is sent to the members of
	// the latter.
	Forward(self model.NodeID, d Data, to View) bool
	// Awaits says whether a process waits for a flush of another before a view that is announced
	// takes effect, if the last flush that it has received is for the view with the number flushed.
	Awaits(of model.NodeID, flushed int, to View) bool
	// Keeps says whether a process needs the message of a view if it has, or will have as
	// its first, the view with a number.
	Keeps(d Data, in int) bool
	// Deliver says whether a message of a view is delivered at once in the view that a process has.
	Deliver(d Data, in int) bool
}

// Spec is the algorithm. Of the first processes so many may crash.
type Spec struct{ faulty int }

// Send sends the copies of a process that may crash one by one.
func (s Spec) Send(p *Process, env model.Env, to []model.NodeID, m any) {
	if int(env.Self()) < s.faulty {
		oneByOne(p, env, to, m)
	} else {
		env.Broadcast(to, m) // which makes no difference, as copies take any time on the way
	}
}

// Accepts drops what comes from a process that has crashed.
func (Spec) Accepts(_ any, from model.NodeID, down []model.NodeID) bool {
	return !slices.Contains(down, from)
}

// Flushes is true.
func (Spec) Flushes() bool { return true }

// Late forwards them.
func (Spec) Late(p *Process, env model.Env) { p.forward(env) }

// InEffect is all of them, one after another.
func (Spec) InEffect(ready []View) []View { return ready }

// Forward is for messages of others: copies of its own precede its flush anyway.
func (Spec) Forward(self model.NodeID, d Data, _ View) bool { return d.Message.Sender != self }

// Awaits is until a flush for this view.
func (Spec) Awaits(_ model.NodeID, flushed int, to View) bool { return flushed < to.Number }

// Keeps drops messages of views before that.
func (Spec) Keeps(d Data, in int) bool { return d.View >= in }

// Deliver is in the view in which it was sent.
func (Spec) Deliver(d Data, in int) bool { return d.View == in }
