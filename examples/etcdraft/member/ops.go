package member

import "strings"

// What an application asks of its peer.
type (
	// Append appends a value to the replicated list. It returns [Done] when the entry is applied here, or
	// [Dropped]. Values are distinct: a value that is already in the list is not appended again. This happens
	// if a forwarded proposal arrives twice.
	Append struct{ Value string }
	// Read reads the list by ReadIndex, with ID as the request's context: it returns [Values],
	// or [Dropped] where no leader is known. IDs are distinct.
	Read struct{ ID string }
	// ReadAgain is Read, and the request is made twice with the same context, as by a client
	// library that tries again.
	ReadAgain struct{ ID string }
	// LogRead reads the list by a separate entry in the log.
	LogRead struct{ ID string }
	// Transfer asks the leader to transfer the leadership. It returns [Done] at once.
	Transfer struct{ To uint64 }
	// Change proposes a change of the configuration, in the notation of the library's tests, for example "v4
	// r1". It returns [Done] at once, or [Dropped].
	Change struct {
		How     How
		Changes string
	}
)

// A How is the way in which a configuration is changed.
type How int

// The ways of a change: one simple step; a joint configuration that the library leaves automatically; a joint
// configuration that a Change without changes leaves.
const (
	Simple How = iota
	Auto
	Explicit
)

func (h How) String() string { return [...]string{"simple", "auto", "explicit"}[h] }

// What operations return.
type (
	// Done means that the operation is done.
	Done struct{}
	// Dropped means that the library refused the operation: it has no effect, now or later.
	Dropped struct{}
	// Values is the list that was read, with commas between the values.
	Values string
)

// Keys of alarms.
type (
	// Campaign is an election time-out.
	Campaign struct{}
	// Tick is a tick of the peer's clock.
	Tick struct{}
)

// logRead marks the entry of a [LogRead]: no value begins with this prefix.
const logRead = "?"

// An App is the application of a peer: a list of appended values, and the one operation that it waits for.
type App struct {
	Applied uint64 // index of the entry applied last
	Values  []string
	Waits   Waiting
}

// A Waiting is the operation that runs.
type Waiting struct {
	For   string // the entry's data, or the context of a read; "" for nothing
	Reads bool   // by ReadIndex
	Index uint64 // of such a read, once it is known
}

// list returns the list of values as a read returns it.
func (a *App) list() Values { return Values(strings.Join(a.Values, ",")) }
