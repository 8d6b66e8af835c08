package foreign

import (
	"fmt"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
)

// An input is what drives an object: a handler with what it is given.
type input struct {
	kind  kind
	self  model.NodeID // the node whose object it is
	from  model.NodeID // the sender of a message, or the node that is suspected or trusted
	value any          // message, call or key
}

type kind uint8

const (
	started kind = iota
	recovered
	invoked
	received
	timedOut
	suspected
	trusted
)

func (k kind) String() string {
	return [...]string{"Start", "Recover", "Invoke", "Receive", "Timeout", "Suspect", "Trust"}[k]
}

func (in input) String() string {
	if in.value == nil {
		return in.kind.String()
	}
	return fmt.Sprintf("%v on %s", in.kind, describe.Value(in.value, nil))
}

// told is the input with its sender.
func (in input) told() string {
	if in.kind == received {
		return fmt.Sprintf("%v from node %d", in, in.from)
	}
	return in.String()
}

// kept is the input for a history: nobody else has what it holds.
func (in input) kept() input {
	in.value = value.Detached(in.value)
	return in
}

// drive runs the handler of an object that an input is for, if it has that one. It returns the
// object that it leaves, another one after a crash.
func (c *core) drive(object any, in input, env model.Env) any {
	switch in.kind {
	case started, recovered:
		if in.kind == recovered {
			object = c.recover(object)
		} else {
			object = c.make()
		}
		if h, ok := object.(model.Starter); ok {
			h.Start(env)
		}
	case invoked:
		if h, ok := object.(model.Invoker); ok {
			h.Invoke(env, in.value)
		}
	case received:
		if h, ok := object.(model.Receiver); ok {
			h.Receive(env, in.from, in.value)
		}
	case timedOut:
		if h, ok := object.(model.Timeouter); ok {
			h.Timeout(env, in.value)
		}
	case suspected, trusted:
		if h, ok := object.(model.Suspecter); ok && in.kind == suspected {
			h.Suspect(env, in.from)
		} else if ok {
			h.Trust(env, in.from)
		}
	}
	return object
}
