// Package clocks has logical clocks: those of Lamport (lamport.go) and vector clocks
// (vector.go), as the handlers of protocols use them. They are plain values: each method
// returns the clock as it is afterwards, and changes nothing.
//
// An event happened before another when it comes earlier at the same process, when it is the
// sending of a message that the other receives, or by a chain of these. If a clock moves at the
// events that its protocol says, then of two events of which one happened before the other the
// earlier has the smaller time; for vectors it is so in both directions.
package clocks
