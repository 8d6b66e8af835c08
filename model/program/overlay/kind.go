package overlay

import "fmt"

// A Kind is what a goroutine is about to do at a point.
type Kind uint32

// The kinds of operations.
const (
	Send Kind = 1 + iota
	Receive
	Select
	Close
	Lock
	TryLock
	Unlock
	RLock
	TryRLock
	RUnlock
	Add // of a WaitGroup
	Done
	Wait
	CondWait
	Signal
	Broadcast
	Do // of a Once
	MapRead
	MapWrite
	PoolGet
	PoolPut
	AtomicLoad
	AtomicStore
	AtomicSwap
	AtomicCompareAndSwap
	AtomicAdd
	AtomicAnd
	AtomicOr
	Call // of an operation that is recorded
)

var kinds = [...]string{
	Send: "send", Receive: "receive", Select: "select", Close: "close",
	Lock: "Lock", TryLock: "TryLock", Unlock: "Unlock", RLock: "RLock", TryRLock: "TryRLock", RUnlock: "RUnlock",
	Add: "WaitGroup.Add", Done: "WaitGroup.Done", Wait: "WaitGroup.Wait", CondWait: "Cond.Wait", Signal: "Cond.Signal", Broadcast: "Cond.Broadcast",
	Do: "Once.Do", MapRead: "read Map", MapWrite: "write Map", PoolGet: "Pool.Get", PoolPut: "Pool.Put",
	AtomicLoad: "atomic load", AtomicStore: "atomic store", AtomicSwap: "atomic swap", AtomicCompareAndSwap: "atomic compare-and-swap",
	AtomicAdd: "atomic add", AtomicAnd: "atomic and", AtomicOr: "atomic or", Call: "call",
}

// String is the operation as people call it.
func (k Kind) String() string {
	if int(k) < len(kinds) && kinds[k] != "" {
		return kinds[k]
	}
	return fmt.Sprintf("operation %d", uint32(k))
}

// Reads reports whether the operation leaves its object as it is.
func (k Kind) Reads() bool { return k == AtomicLoad || k == MapRead }
