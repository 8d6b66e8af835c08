package clocks

import "contend/model"

// Lamport is the clock of Lamport, Time, Clocks, and the Ordering of Events in a Distributed
// System, CACM 21(7), 1978: how many events there are at least in a chain that ends here. It is
// 0 before the first.
type Lamport int

// Tick is the clock at the next event of its process. (rule 1)
func (c Lamport) Tick() Lamport { return c + 1 }

// Merge is the clock as it is told of a time: not less than that. (rule 2, without the event)
func (c Lamport) Merge(told Lamport) Lamport { return max(c, told) }

// At is the time with the process at which it is.
func (c Lamport) At(id model.NodeID) Stamp { return Stamp{c, id} }

// A Stamp is a time at a process. Stamps are in one order, ties in the order of the processes.
type Stamp struct {
	Time Lamport
	ID   model.NodeID
}

// Before reports whether a stamp is the smaller one: by time, then by process.
func (s Stamp) Before(t Stamp) bool { return s.Time < t.Time || s.Time == t.Time && s.ID < t.ID }
