package overlay

import "fmt"

// A Kind is the kind of operation that a goroutine will execute at a point.
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

	// In tests there is a point after these, too, since what a goroutine does then, with plain variables, may meet what it let others do.
	AfterGo
	AfterSend
	AfterClose
	AfterUnlock
	AfterDone
	AfterSignal

	// A goroutine that yields or sleeps: no points.
	Yield
	Sleep
)

var kinds = [...]string{
	Send: "send", Receive: "receive", Select: "select", Close: "close",
	Lock: "Lock", TryLock: "TryLock", Unlock: "Unlock", RLock: "RLock", TryRLock: "TryRLock", RUnlock: "RUnlock",
	Add: "WaitGroup.Add", Done: "WaitGroup.Done", Wait: "WaitGroup.Wait", CondWait: "Cond.Wait", Signal: "Cond.Signal", Broadcast: "Cond.Broadcast",
	Do: "Once.Do", MapRead: "read Map", MapWrite: "write Map", PoolGet: "Pool.Get", PoolPut: "Pool.Put",
	AtomicLoad: "atomic load", AtomicStore: "atomic store", AtomicSwap: "atomic swap", AtomicCompareAndSwap: "atomic compare-and-swap",
	AtomicAdd: "atomic add", AtomicAnd: "atomic and", AtomicOr: "atomic or", Call: "call",
	AfterGo: "after the go statement", AfterSend: "after the send", AfterClose: "after the close", AfterUnlock: "after the unlock", AfterDone: "after WaitGroup.Done",
	AfterSignal: "after the signal", Yield: "yield", Sleep: "sleep",
}

// String returns the operation's name.
func (k Kind) String() string {
	if int(k) < len(kinds) && kinds[k] != "" {
		return kinds[k]
	}
	return fmt.Sprintf("operation %d", uint32(k))
}

// Reads reports whether the operation leaves its object as it is.
func (k Kind) Reads() bool { return k == AtomicLoad || k == MapRead || k >= AfterGo }
