// Package program makes nodes of whole Go programs: goroutines, timers, locks, files and connections, unmodified but for where they get
// their network from. A program is compiled to WebAssembly and runs in this process, one step at a time (package
// contend/program/host): a handler hands it what happened, and it runs until all its goroutines wait.
//
// # Writing one
//
// The program imports contend/program/sim, listens and dials by it, or by package net with [Config.Net], and says what is to be seen. A file beside its function main
// makes it a node: see there. The system lists it:
//
//	p, err := program.New(program.Config{Package: "example.com/lock/server", Hosts: []string{"n0", "n1"}})
//	...
//	model.NodeSpec{Name: "n0", Role: model.Peer, New: p.Node, Script: []model.Op{{Call: "get x"}}}
//	... System.Types: program.Types()
//
// Calls of the application, its results and the program's notes are strings. What programs send each other are the messages of this package.
// A message may come late; between two nodes they come in any order unless the system's channel is FIFO, but the bytes of a connection are
// put in order. A lost message of a connection means that nothing comes after it, as when a cable is pulled. A program breaks the
// claim that no handler fails if it panics, dies of a fatal error of the Go runtime, does not come to rest, or ends by itself: its function main returns, or
// it calls os.Exit or log.Fatal. With [Config.Exits] it may end; the end is noted as [Exited], and the program does nothing any more.
//
// # Trouble
//
// Messages are lost, come twice and are held up by partitions as in any system, and nodes crash and restart. What else goes wrong has
// budgets of its own, which a protocol lists by [Budgets]: connections that are cut, break on one side only, or are refused; wall clocks that
// jump; disks that are full; SIGTERMs, after which a program ends and starts again. A node of their own makes these troubles,
// [Program.Trouble], so that each is a step of the run. Clocks drift by the system's drift, as those of any node.
//
// # Traces
//
// A trace names the program by the SHA-256 of its module and the version of Go that built it, and verify replay refuses to take it with another
// one. The same sources and the same version of Go make the same module on any machine.
//
// # Time
//
// A program's clocks show a time of its own. When its next timer is due is an alarm of the model, so that a search that keeps time
// has it fire in time, and one that does not at any moment.
//
// In sampled runs with time, and in their replays, the clock shows the time of each step. In a search, without time, and with a
// system's drift it stands still between two alarms, or moves in steps: the program asks by model.Env.Held how many of
// [Config.Resolution] parts of the time to its next timer are over. Then the clock lags behind by less than a part, and a timer that is set
// meanwhile fires late by as much.
//
// # State
//
// The state of a node is the name of its history: what came in, in which order, and what was chosen. Objects of a history are made once more
// by running it again. [Config.Merge] lets the bytes that the author shows by sim.View name the state in its place.
package program
