package foreign

import (
	"fmt"

	"contend/model"
	"contend/model/describe"
	"contend/model/value"
)

// An input is a call of a handler of an object.
type input struct {
	kind  kind
	self  model.NodeID // the node of the object
	from  model.NodeID // the sender of a message, or the suspected or trusted node
	value any          // the message, call or key
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

// withSender returns the text of the input with its sender.
func (in input) withSender() string {
	if in.kind == received {
		return fmt.Sprintf("%v from node %d", in, in.from)
	}
	return in.String()
}

// detached returns an independent copy of the input for a history.
func (in input) detached() input {
	in.value = value.Detached(in.value)
	return in
}

// drive passes an input to the handler of an object, if it has this handler. It returns the object after the
// handler: a new object for Start and Recover.
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
