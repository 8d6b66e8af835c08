// Package program makes nodes of whole Go programs, with their goroutines, timers, files and connections. docs/programs.md is the guide.
//
// A handler gives the program an input, and the program runs until all its goroutines wait. The program runs within the checker's process
// (package contend/program/native), or as WebAssembly (package contend/program/host). [Config.Guest] selects one of these.
//
// # Use
//
// The program imports contend/program/sim. It listens and dials with that package, or with package net if [Config.Net] is set. A file beside its
// function main makes the program a node: see package sim. The system lists the node:
//
//	p, err := program.New(program.Config{Package: "example.com/lock/server", Hosts: []string{"n0", "n1"}})
//	...
//	model.NodeSpec{Name: "n0", Role: model.Peer, New: p.Node, Script: []model.Op{{Call: "get x"}}}
//	... System.Types: program.Types()
//
// Calls of the application, results and notes of the program are strings. Packets and parts of connections are messages of the model. The
// messages of different connections arrive in any order. The bytes of one connection stay in order. After lost bytes of a connection no more
// bytes of their sender arrive on it.
//
// A write to a connection blocks when [Config.Window] bytes are sent and not read.
//
// # Failures
//
// These break the claim that no handler fails: a panic, a fatal error of the Go runtime, a step that does not end, and the end of the program by
// itself. With [Config.Exits] a program may end by itself. Then it notes [Exited] and does nothing more.
//
// # Trouble
//
// Messages are lost and duplicated, networks are partitioned, and nodes crash and restart, as in each system. A protocol that lists [Budgets] has
// further faults: connections that are cut, broken on one side, or refused, jumps of wall clocks, full disks, failing syncs, and SIGTERM. The node
// of [Program.Trouble] causes these faults, so each fault is a step of the run.
//
// # Time
//
// The time of the program's next timer is an alarm of the model. Without time in the search, the alarm goes off at any moment.
//
// In sampled runs with time, and in their replays, the clock shows the time of each step. With drift in the system it shows the program's own time,
// and its rate is a choice of the run. In other runs the clock stands still between two alarms. With [Config.Resolution] it moves in steps:
// model.Env.Held returns the number of parts of the time to the next timer that have passed. Then the clock is behind by less than a part, and a
// timer that the program sets is late by less than a part.
//
// # State
//
// A node's state is named by its history: the inputs in their order, and the choices. A search that needs an earlier state runs the history
// again. With [Config.Merge] the bytes that the program shows by sim.View name the state instead.
//
// # Traces
//
// A trace names the program by the SHA-256 of its build and by the version of Go. A trace is not replayed with another program. Equal sources and
// versions of Go give equal builds on all machines.
package program
