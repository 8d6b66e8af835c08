// Package clocks has logical clocks for handlers of protocols: Lamport's clocks (lamport.go) and vector clocks
// (vector.go). Clocks are plain values. Each method returns the new clock, and changes nothing.
//
// An event happened before another event in three cases. It is earlier at the same process. It is the sending of a
// message that the other event receives. Or a chain of such pairs connects the two events. Let a clock tick at the
// events of its protocol. If an event happened before another, its time is smaller. For vectors the converse is true,
// too.
package clocks
