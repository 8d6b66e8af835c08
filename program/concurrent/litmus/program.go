// Package litmus represents small programs with goroutines as data, and computes all their outcomes. Go can also
// run such a program. A test compares its outcomes under the schedules of package [contend/program/concurrent]
// with the computed ones. The two share no code.
package litmus

import (
	"fmt"
	"strings"
)

// An Op is an operation.
type Op uint8

// The operations.
const (
	Go        Op = iota // begins the goroutine On
	Lock                // of a Mutex
	TryLock             //
	Unlock              // nothing, unless the goroutine holds it
	WLock               // of an RWMutex
	TryWLock            //
	WUnlock             // nothing, unless the goroutine holds it
	RLock               //
	TryRLock            //
	RUnlock             // nothing, unless the goroutine holds it
	Send                // the value is of the goroutine and the place of the instruction
	Receive             //
	Close               //
	Select              //
	Add                 // Value to a WaitGroup
	Done                //
	Wait                //
	CondWait            // nothing, unless the goroutine holds mutex 0
	Signal              //
	Broadcast           //
	Load                // of an atomic integer
	Store               // of Value
	AddAtomic           // of 1
	Swap                // compare-and-swap of 0 by Value
	Do                  // of a Once: it adds 1 to the atomic integer 0, and writes to the variable Value-1, if Value is not 0
	Read                // of a variable
	Write               //
	Yield               //
	Sleep               // Value nanoseconds
	Expired             // asks the context whether it has ended
	Await               // loops until an atomic integer is not 0
	AwaitLock           // loops until TryLock of a Mutex succeeds
	last
)

var names = [last]string{"go", "lock", "trylock", "unlock", "wlock", "trywlock", "wunlock", "rlock", "tryrlock", "runlock", "send", "receive", "close", "select", "add", "done", "wait",
	"condwait", "signal", "broadcast", "load", "store", "addatomic", "swap", "do", "read", "write", "yield", "sleep", "expired", "await", "awaitlock"}

// String returns the operation's name.
func (o Op) String() string { return names[o] }

// How many objects there are of each kind, and bounds of a program.
const (
	Objects        = 2
	MostGoroutines = 4
	MostOps        = 12 // of a goroutine
	MostRoom       = 2  // of a channel
)

// An Instruction is an operation on an object.
type Instruction struct {
	Op    Op
	On    int
	Value int
	Cases Cases // of a select statement
}

// Cases are the cases of a select statement.
type Cases struct {
	Receives, Sends [Objects]bool
	Default         bool
	After           int  // nanoseconds until the case of a timer; 0 stands for none
	Context         bool // the end of the context
}

// A Program is the instructions of goroutines. Goroutine 0 is the body. A goroutine that panics goes on with its last instruction.
type Program struct {
	Bodies  [][]Instruction
	Rooms   [Objects]int // of channels
	Counts  [Objects]int // of WaitGroups, at first
	Timeout int          // of the context, in nanoseconds; 0 stands for none
}

// What a goroutine sees at an instruction.
const (
	Nothing   = 0
	No        = 1
	Yes       = 2
	Defaulted = 3
	Timed     = 4
	Ended     = 5
	Closed    = 6
	Panicked  = 7
	Sent      = 8  // and the channel
	Number    = 16 // and a value below 16
	Message   = 32 // and where it is from: see message
)

// message returns the value that a goroutine sends at a place.
func message(g, at int) int { return Message + g*MostOps + at }

// String writes a program as a goroutine a line.
func (p *Program) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "rooms %v, counts %v, time-out %d\n", p.Rooms, p.Counts, p.Timeout)
	for g, body := range p.Bodies {
		fmt.Fprintf(&b, "%d:", g)
		for _, in := range body {
			fmt.Fprintf(&b, " %v", in)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// String returns an instruction with its object.
func (in Instruction) String() string {
	switch in.Op {
	case Select:
		var parts []string
		for c := range Objects {
			if in.Cases.Receives[c] {
				parts = append(parts, fmt.Sprintf("<-%d", c))
			}
			if in.Cases.Sends[c] {
				parts = append(parts, fmt.Sprintf("%d<-", c))
			}
		}
		if in.Cases.Default {
			parts = append(parts, "default")
		}
		if in.Cases.After > 0 {
			parts = append(parts, fmt.Sprintf("after %d", in.Cases.After))
		}
		if in.Cases.Context {
			parts = append(parts, "context")
		}
		return "select(" + strings.Join(parts, " ") + ")"
	case Add, Store, Swap, Do:
		return fmt.Sprintf("%v(%d,%d)", in.Op, in.On, in.Value)
	case Sleep:
		return fmt.Sprintf("sleep(%d)", in.Value)
	case CondWait, Signal, Broadcast, Yield, Expired:
		return in.Op.String()
	}
	return fmt.Sprintf("%v(%d)", in.Op, in.On)
}

// has reports whether a program has an operation.
func (p *Program) has(ops ...Op) bool {
	for _, body := range p.Bodies {
		for _, in := range body {
			for _, op := range ops {
				if in.Op == op {
					return true
				}
			}
		}
	}
	return false
}
