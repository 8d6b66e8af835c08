package clocks

import "contend/model"

// Lamport is the clock of Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, CACM 21(7), 1978.
// Its value is at least the length of each chain of events that ends at the process. It is 0 before the first event.
type Lamport int

// Tick returns the clock after the next event of its process. (rule 1)
func (c Lamport) Tick() Lamport { return c + 1 }

// Merge returns the larger of the clock and the time of a message. (rule 2, without the event)
func (c Lamport) Merge(told Lamport) Lamport { return max(c, told) }

// At returns the time with its process.
func (c Lamport) At(id model.NodeID) Stamp { return Stamp{c, id} }

// A Stamp is a time at a process. Stamps are totally ordered.
type Stamp struct {
	Time Lamport
	ID   model.NodeID
}

// Before reports whether a stamp is smaller than another: by time, then by process.
func (s Stamp) Before(t Stamp) bool { return s.Time < t.Time || s.Time == t.Time && s.ID < t.ID }
