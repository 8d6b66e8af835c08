// Package guest is the contract between package program and what runs a Go program one step at a time: package
// contend/program/host in WebAssembly, and package contend/program/native within the process.
//
// An instance is given inputs and runs until all its goroutines wait. It has no clock, no random numbers, no files and no way out but what the
// host gives it, so that a program is a function of what it is given; and its whole state can be kept and taken up again.
package guest

import (
	"fmt"

	"contend/model/disk"
)

// A Module is a compiled program. Several goroutines may use it.
type Module interface {
	// New makes an instance, and has its packages initialised. Function main runs in the first step. The error is an [*Exit] or a [*Failure], and the
	// instance can begin again; or it is another, and the instance is nil.
	New(c Config) (Instance, error)
	// Settle makes an instance for a node in a place of its own, as far as there are any: it has no state yet, and is to begin or to be restored
	// there. Two states in one place take turns, at a cost. It is nil if states have no places.
	Settle(node string) (Instance, error)
	// Instance makes an instance in the state of a snapshot of the same module.
	Instance(s Snapshot) (Instance, error)
	// Close frees the module. Its instances are of no use then.
	Close() error
}

// An Instance is a program that runs. One goroutine at a time may use it.
type Instance interface {
	// Begin does to an instance, whatever it has run, what New does to one that it makes.
	Begin(c Config) error
	// Step sets the clock, unless it is later already, hands inputs to the program, and runs it until all its goroutines wait. It returns what
	// the program told. The error is an [*Exit] or a [*Failure]; then the instance is of no use until it is restored or begins again.
	Step(now int64, inputs ...[]byte) ([]Output, error)
	// Snapshot keeps the state of the instance.
	Snapshot() Snapshot
	// Restore brings the instance into a state of any instance of the same module.
	Restore(s Snapshot)
	// Release says that nobody needs the state of the instance. It may begin again, or be restored. The result reports whether that is cheaper than
	// to make another.
	Release() (keep bool)
	// Choose sets who decides what a program that was built with the schedule overlay leaves to its host, a number in [0, n); nil, as at first, stands
	// for 0. Kind "pick" asks which goroutine runs next, about their ids; "point", whether the first goroutine goes on with an operation (0) or
	// another one runs, about the kind of the operation, the address of its object and the ids; "choose", which ready case a select takes.
	Choose(choices func(kind string, n int, about []uint64) int)
	// Stacks returns where the goroutines are that wait, as the Go runtime writes it. The instance is of no use until it is restored.
	Stacks() (string, error)
	// Hash tells memories of instances of the module apart within this process. Equal memories may have different hashes where they lie at
	// different addresses: see [Instance.Place].
	Hash() uint64
	// Place names where the memory lies. An instance that is restored has the snapshot's.
	Place() uint64
	// Now returns what the clock of the program shows, in nanoseconds since it was made.
	Now() int64
	// Timer returns when the next timer is due by this clock, or [Never].
	Timer() int64
	// Jump moves the wall clock, by nanoseconds.
	Jump(by int64)
	// Size returns about how much memory the instance takes up, in bytes.
	Size() int
	// Errors returns the end of what the program wrote to its standard error and output.
	Errors() []byte
	// Disk returns the program's disk, or nil.
	Disk() *disk.Disk
	// Close frees the instance.
	Close() error
}

// A Snapshot is the whole state of an instance at rest. Nothing changes it, and it may be restored any number of times.
type Snapshot interface {
	// Len returns about how many bytes the snapshot takes up besides what it shares with the one that the instance was restored from.
	Len() int
	// Disk returns the program's disk, or nil. It is not to be changed.
	Disk() *disk.Disk
	// Errors is that of the instance.
	Errors() []byte
}

// A Config says what a program is started with.
type Config struct {
	Args []string // the name of the program first
	Env  []string // "name=value", in the order in which the program sees them
	Seed uint64   // of the random numbers
	Wall int64    // what the wall clock shows when the other clock shows 0, in nanoseconds since 1970
	Disk *disk.Disk
}

// Never is when a timer is due if none is set.
const Never = int64(1<<63 - 1)

// MostMemory is how much memory an instance may take, in bytes. A program that wants more ends with the Go runtime's "out of memory".
const MostMemory = 256 << 20

// An Output is something that the program tells its host.
type Output struct {
	Kind uint32
	Data []byte
}

// An Exit is the end of a program by os.Exit, or because main returned.
type Exit struct {
	Code   int
	Output string // what the program wrote last to its standard error and output
}

func (e *Exit) Error() string { return fmt.Sprintf("the program exits with code %d", e.Code) }

// A Failure is the end of a program by a panic, or by a fatal error of the Go runtime.
type Failure struct {
	Text  string // the first line that says why
	Trace string // what the program wrote last to its standard error: the goroutines among it, where the runtime wrote them
}

func (f *Failure) Error() string { return f.Text }
