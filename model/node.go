package model

// A NodeID names a node of a system: its index in [System.Nodes]. Ids are a type
// of their own so that a checker can rename them by walking a value.
type NodeID int32

// A Node is a pointer to a struct that implements one or more of [Starter],
// [Invoker], [Receiver], [Timeouter] and [Suspecter]. Its exported fields are its state, plain
// values in which nil and empty are alike; its unexported fields are
// configuration. A struct-valued field whose pointer is itself a node is a node
// within a node, under the same rule.
type Node any

// A Starter is run at boot, and again when a node comes back after a crash: see [CrashModel].
type Starter interface{ Start(env Env) }

// An Invoker takes the calls of its application: the operations of a [Script],
// and the values that release a critical section.
type Invoker interface{ Invoke(env Env, op any) }

// A Receiver takes messages.
type Receiver interface {
	Receive(env Env, from NodeID, message any)
}

// A Timeouter is told when an alarm it set fires. The alarm is no longer set when
// Timeout runs.
type Timeouter interface{ Timeout(env Env, key any) }

// Env is all a handler sees of the world. It is valid only until the handler
// returns. Messages, keys, results and labels are plain values whose types the
// system lists in [System.Types].
type Env interface {
	// Self is the node whose handler runs.
	Self() NodeID

	// Send puts a message into flight. A node may send to itself.
	Send(to NodeID, message any)
	// Broadcast sends one message to each of the nodes.
	Broadcast(to []NodeID, message any)

	// After arms the alarm key: Timeout(key) fires within the window, counted
	// from now. Arming a key that is set moves it.
	After(key any, w Window)
	// Cancel disarms the alarm key, if it is set.
	Cancel(key any)

	// Hold starts a passive countdown that Held asks about. It fires nothing.
	// [Through](d) lasts through the instant d ticks from now; [Below](d) is over
	// at that instant. Holding a key that is held starts it anew.
	Hold(key any, d Bound)
	// Held reports whether the countdown of key still lasts. A key never held is
	// not held. Untimed, both answers are explored while a countdown may last;
	// once it was seen to be over it stays over.
	Held(key any) bool

	// Choose returns a number in [0, n) picked by the adversary; n ≥ 1.
	Choose(n int) int
	// Draw returns a number in [0, n) drawn uniformly at random; n ≥ 1. To a
	// safety claim it is one more choice.
	Draw(n int) int

	// Return ends the invocation that runs, with a result. The application sees
	// it within the system's [System.Returned] window.
	Return(result any)
	// Deliver hands a value up to the application, as a broadcast protocol does with what
	// the others sent: any number of times, whether an invocation runs or not.
	Deliver(value any)
	// Note makes a label visible to monitors.
	Note(label any)
}
