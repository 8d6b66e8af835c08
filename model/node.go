package model

// A NodeID is the index of a node in [System.Nodes]. It is a separate type so that a checker can rename nodes
// within any value.
type NodeID int32

// A Node is a pointer to a struct that implements one or more of [Starter], [Invoker], [Receiver], [Timeouter]
// and [Suspecter]. Its exported fields are its state: plain values in which nil and empty are equal. Its
// unexported fields are configuration. A struct field whose pointer is a node is a node within a node, under
// the same rules.
type Node any

// A Starter has code that runs in the initial state, and again after a restart: see [CrashModel].
type Starter interface{ Start(env Env) }

// An Invoker receives the calls of its application: the operations of a [NodeSpec.Script], and the values that
// release a critical section.
type Invoker interface{ Invoke(env Env, op any) }

// A Receiver receives messages.
type Receiver interface {
	Receive(env Env, from NodeID, message any)
}

// A Timeouter has a handler for its alarms. The alarm is no longer set when Timeout runs.
type Timeouter interface{ Timeout(env Env, key any) }

// An Env is the access of a handler to the world. It is valid only until the handler returns. Messages, keys,
// results and labels are plain values whose types are listed in [System.Types].
type Env interface {
	// Self returns the node whose handler runs.
	Self() NodeID

	// Send sends a message. A node may send to itself.
	Send(to NodeID, message any)
	// Broadcast sends one message to each of the nodes.
	Broadcast(to []NodeID, message any)

	// After sets the alarm key: Timeout(key) runs within the window, counted from now. An alarm that is set
	// already is replaced.
	After(key any, w Window)
	// Cancel removes the alarm key, if it is set.
	Cancel(key any)

	// Hold starts a countdown that Held queries. It has no event. [Through](d) includes the instant d ticks
	// from now, and [Below](d) does not. A countdown of the same key is replaced.
	Hold(key any, d Bound)
	// Held reports whether the countdown of key lasts. It is false for a key without a countdown. In an untimed
	// reading both answers are explored while a countdown may last; after an answer false it stays false.
	Held(key any) bool

	// Choose returns a number in [0, n) that the adversary chooses; n ≥ 1.
	Choose(n int) int
	// Draw returns a number in [0, n) drawn uniformly at random; n ≥ 1. For a safety claim it is like Choose.
	Draw(n int) int

	// Return ends the present invocation with a result. The application sees it within the window
	// [System.Returned].
	Return(result any)
	// Deliver passes a value to the application, as a broadcast protocol does. It may be called any number of
	// times, with or without an invocation.
	Deliver(value any)
	// Note makes a label visible to monitors.
	Note(label any)
}
