// Package overlay lets a host decide how the goroutines of a Go program are scheduled, where the program is
// built for GOOS=wasip1, or is a native guest: see below. It makes, from the source of the Go release in use, the edited files of package
// runtime, sync, internal/sync, sync/atomic, net, os, os/exec and testing, and the file for the -overlay flag of the go command.
//
// A program that is built so imports these functions from the WebAssembly module "contend":
//
//	pick(n uint32, goroutines *uint64) uint32
//
// is asked when the running goroutine waits, yields or has ended, and n goroutines, at least two, can run. Its
// result is the place of the one that runs next.
//
//	point(kind, object, n uint32, goroutines *uint64, state, timer uint32) uint32
//
// is asked before a goroutine does what others can see, if there are others that can run: a [Kind] of operation on the
// object at an address. The first of the n goroutines is the one that asks. The result is 0 to let that one go on, or
// the place of the one that runs instead. That is a preemption. Where no other goroutine can run the host is asked once in a hundred times, with kind 0: the
// goroutine may be waiting in a loop for a timer, and if the result is not 0 timers are looked at. State and timer are 0 but in runs of tests: see below.
//
//	choose(n uint32) uint32
//
// is asked which of n ready cases, at least two, a select statement takes.
//
//	where(function *byte, size uint32, file *byte, size uint32, line uint32)
//
// tells the place in the source of the point that comes next, if that is wanted; then points are asked also
// where no other goroutine can run.
//
// Goroutines are named by the runtime's ids, which grow in the order in which goroutines are created. Goroutines of the
// runtime itself run first and are not asked about. The host is asked from the start of the program on. A package in the program can
// have that ended and begun, by linkname: contendBegin, contendEnd, contendGoid and contendIdle in package runtime.
//
// # Runs of tests
//
// Between contendBody, which the first goroutine of a run calls, and contendEnd more is asked. Goroutines from before the run are treated as the runtime's own. There are points
// behind unlocks, sends, closes, WaitGroup.Done, signals and go statements too. At a point state names what is on the goroutine's stack and what the object holds, 0 if
// that is not looked at, and timer is 1 if a timer of the run is set. The result n has time go on before the point: what the next timer wakes runs first, and where it wakes
// nothing the point is asked again. A goroutine that yields or sleeps is told as a point of kind [Yield] or [Sleep]; if the result is not 0 time goes on.
//
//	clock(at int64)
//
// has time go on to an instant in nanoseconds, or, where that is 0, as far as the host likes.
//
//	idle(until, next, once int64, over, stuck, ripe uint32) uint32
//
// is asked when all goroutines wait and a timer is set, the next one until an instant: when the next timer of the run is due, which is later if others come first; when the next
// of the run is due that is due once, or 0; whether contendReturned was called; whether a goroutine waits for no timer; whether all others have run a few times since. The result is 0 to go on, 1 to
// wake the goroutine that waits in contendIdle, and 2 to do that although nobody knows what waits for ever.
//
// With [Edits.Tests] the functions contendBegins and contendEnds of package testing, reached by linkname, begin and end what a test is in a run: its context, its cleanup
// functions, the names of its subtests.
//
//	refused(text *byte, size, ends uint32)
//
// is told what a body does and cannot do: that it runs a program, or, where ends is 1, that it calls t.Parallel, and the host has to end the program.
//
// # Chance
//
// Function contendNoted of package runtime returns what was left to chance since contendBegin, or was not done, a bit each: random numbers of package math/rand; the order in which a map with several
// entries was gone through; whether a Pool had what it was asked for; data races that were no more looked for. Chance follows from the seed of contendBegin. With a seed above 0 a Pool may
// lose what it has.
//
// # What is a point
//
// Operations on channels; select statements; the exported methods of sync.Mutex, RWMutex, WaitGroup, Cond, Once, Map and
// Pool; the functions and the types of sync/atomic. What package sync does within an operation is one step. Len and cap of a channel are
// no points. Neither are loads and stores of plain variables. Package sync/atomic is reached also where it is used by functions, since the compiler does not replace them on this
// architecture.
//
// # Data races
//
// With [Edits.Race] the program ends at a data race, and tells the host both accesses:
//
//	raced(text *byte, size uint32)
//
// The runtime, package sync and package sync/atomic call their race detector as they do with -race. Here that is one in Go, by vector clocks, in the runtime
// itself. Loads and stores are marked by a compiler that [Edits.Make] builds from the release's source, where -race is not refused for WebAssembly: see
// [Overlay.RaceFlags]. Only goroutines that begin after contendBegin are looked at.
//
// # What has happened
//
// With [Edits.Race] a run of a test is named as well. Before it asks pick, point or choose the program tells
//
//	traced(trace uint64)
//
// which names what has happened in the run, up to the order of operations that commute, and which goroutines can run. It is 0 where that cannot be told. Two runs
// of the same body that have the same name can go on in the same ways. Package contend/program/concurrent lists what commutes.
//
// # Native guests
//
// With [Edits.Native] the program runs within its host's process: see package contend/program/native. It asks by calls of its own what it would
// ask by imported functions. [Questions] lists these, and [Question] gives their numbers. Go's own compiler marks loads and stores there. With its flag -race it also leaves package
// sync/atomic to its functions, in place of instructions. So a program without [Edits.Race] is compiled with that flag, too: see [Overlay.RaceFlags].
//
// # The network
//
// With [Edits.Net] and the build tag [Tag] the sockets of package net for TCP and UDP are those of contend/program/sim, and names of hosts are
// names of nodes. Everything above them, such as net.TCPConn, net.Dialer and net/http, is as it was. Unix sockets connect a program with itself.
//
// # Files
//
// With [Edits.Files] package syscall of a program in WebAssembly has the constants, types and functions of Linux for files and memory. The program imports
// map, remap, unmap, flush, sync_begin, sync_end and msync_end from the module "contend": see package contend/program/host.
//
// # A slow disk
//
// With [Edits.Slow] a sync, renaming or removal of a file takes time, in which a crash may strike. Without it a program does all that in no time.
package overlay
