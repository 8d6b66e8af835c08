// Package model is the language in which protocols and their environment are
// written.
//
// A protocol is a set of nodes, each a plain Go struct with up to four event
// handlers: Start, Invoke, Receive and Timeout. A handler runs to completion,
// changes its own node's state, and touches the world only through [Env]. It
// reads no clock, draws no random number, starts no goroutine, and sees no other
// node. Exported fields are state; unexported fields of a node are its
// configuration, which no handler may change.
//
// Everything that has yet to happen is a pending event with a firing [Window]: a
// message in flight, an armed alarm, a client about to start. A [System] puts
// nodes, scripts, network and faults together, and a [Claim] says what must be
// true of every run. A [Protocol] says how a system is built of a [Config], which sets
// its parameters: each a [Param], declared beside what reads it. The packages above this one search, sample, replay and draw
// the same system; nothing here knows of them.
//
// The package is flat, as net/http is, because the language is one: a protocol has systems, a system nodes and a network, a claim
// monitors that watch both, and each of these types names the others. Each file has one concept, with its types, and with the
// methods by which it is validated, which only its own package can declare.
package model
