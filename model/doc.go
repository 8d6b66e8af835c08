// Package model is the language for protocols and their environment.
//
// A protocol is a set of nodes. Each node is a plain Go struct with up to four event handlers: Start, Invoke,
// Receive and Timeout. A handler runs to completion, changes its own node's state, and uses the world only
// through [Env]. It must not read a clock, draw a random number, start a goroutine or access another node. The
// exported fields of a node are its state. The unexported fields are its configuration: no handler may change
// these.
//
// Everything that is yet to happen is a pending event with a firing [Window]: a message in flight, an alarm, a
// client about to start. A [System] combines nodes, scripts, network and faults. A [Claim] is a statement on
// every run. A [Protocol] builds a system from a [Config] with values for its parameters; each is a [Param].
// Other packages search, sample, replay and draw systems, and this package does not depend on them.
//
// The package is flat like net/http, because its types name each other: a protocol has systems, a system has
// nodes and a network, and a claim has monitors that observe both. Each file has one concept, with its types
// and their validation.
package model
