package drive

import (
	"contend/checker/conform"
	"contend/model"
	"contend/model/world"
)

// A Target is an implementation: see [Go] and [Command].
type Target interface {
	open(d *driver) implementation
}

// An implementation takes the steps of its nodes.
type implementation interface {
	// begin forgets everything, and begins a run. It returns the nodes of the implementation; nil means all. The page
	// plays the others.
	begin(run int) ([]model.NodeID, error)
	// step takes a step, and returns what it shows. The error is a *failure, or a sentence on bad input.
	step(in input) (*conform.Answer, error)
	close()
}

// A kind is a kind of a step of an implementation.
type kind int

// The kinds.
const (
	start kind = iota
	deliver
	call
	fire
	crash
	suspect
	trust
)

// An input is a step of a node.
type input struct {
	kind    kind
	node    model.NodeID
	from    model.NodeID   // of a message
	value   any            // the message, call or key, or the node that a failure detector reports
	id      any            // of the message in the implementation, or nil
	choices []world.Choice // of the page in this step, in the run that is replayed
}

// inputOf returns the input for a move of the page. It reports false for a move that no node of an implementation
// takes part in: the environment's losses and partitions, and the return of an operation.
func inputOf(m world.Move) (in input, ok bool) {
	in = input{node: m.Node, from: m.From, value: m.Value}
	if e := m.Event; e != nil {
		in.node, in.from, in.value = e.Node, e.From, e.Value
	}
	kinds := map[model.EventKind]kind{model.Deliver: deliver, model.Forge: deliver, model.Invoke: call, model.Release: call,
		model.Timeout: fire, model.Crash: crash, model.Stop: crash, model.Restart: start,
		model.Suspect: suspect, model.Mistake: suspect, model.Trust: trust}
	in.kind, ok = kinds[m.Kind]
	return in, ok
}

// A failure is the error of an implementation that does not answer.
type failure struct {
	text       string
	impossible bool // it says that it cannot take the step
}

func (f *failure) Error() string { return f.text }
