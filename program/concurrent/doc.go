// Package concurrent tests code with goroutines, locks and channels under many schedules, each of which can be taken again.
//
//	func TestCounter(t *testing.T) {
//		concurrent.Test(t, func() {
//			var c Counter
//			var wg sync.WaitGroup
//			wg.Go(c.Increment)
//			wg.Go(c.Increment)
//			wg.Wait()
//			if c.Value() != 2 {
//				t.Errorf("the counter is %d", c.Value())
//			}
//		})
//	}
//
// The function is the body. It is run many times: under all schedules without preemptions, then all with one, and then all with two. One schedule in four is
// drawn at random. From then on every second one is, and the others have more and more preemptions, until none are left. A schedule fails when a goroutine panics; when the body fails the test; when all goroutines wait and
// none can go on, or some wait for ever once the body has returned; when it does not end; when two goroutines race for a variable; or when operations
// that were recorded by a [History] are not linearizable. The first that fails is made smaller, printed step by step, and kept in testdata/contend,
// where it is run first from then on.
//
// # How it works
//
// The test builds its own package a second time, by go test -c, and runs the body of this build within its own process. In this build the
// scheduler of the Go runtime asks the test which goroutine runs next, and before each operation that other goroutines can see whether
// another one runs first. Package [contend/program/overlay] lists these points.
//
// # Guests
//
// The second build is one of two kinds of guest:
//
//   - [Native]: code of the processor, on linux/amd64 with Linux 6.7 or later. Package [contend/program/native] says how it is kept apart from this process.
//   - [Wasm]: WebAssembly (GOOS=wasip1), on every platform. A schedule takes four to nine times the CPU time.
//
// [Options.Guest] chooses one, and so does the environment variable CONTEND_GUEST, which is "wasm" or "native". Otherwise a body runs as a native guest where
// that is possible. The report names the guest, and says why it is not native.
//
// Both have the same points and the same choices. They run the same schedules, unless the body depends on hashes or addresses, or goes round in loops: what a
// goroutine has on its stack besides its variables differs. A kept schedule names the guest that found it, and is run on either.
//
// # Data races
//
// Two accesses to the same memory race if one of them writes, not both are atomic, and neither happens before the other in the sense of Go's memory
// model. Each run is searched for them by vector clocks (FastTrack: Flanagan, Freund, PLDI 2009), and ends at the first. Both accesses are told with their
// stacks. Accesses are what go test -race looks at: those of all packages but the runtime, at their first byte, and all bytes of structs, arrays, copied
// slices and ranges. What orders them is what orders them there: go statements, channels, package sync, package sync/atomic, timers. A race is found also where
// the two accesses are far apart in the run, or in another order than the one that does harm: it needs a schedule in which both take place with nothing
// between that orders them, and nearly always the first schedule is one.
//
// The Go compiler marks loads and stores of a native guest, as for go test -race. For WebAssembly it does not. So for [Wasm] the compiler is built once for
// each Go release, from the source in GOROOT. That takes about a minute of CPU. The compiler is kept in the user's cache directory, below contend. With
// [Options.NoRaces] it is not needed.
//
// A goroutine that makes a million accesses without a point waits in a loop for a plain variable, or so it seems, and another that can run gets its
// turn, so that the race can be seen.
//
// # What is a choice
//
// A schedule is a list of choices of four kinds:
//
//   - At a point, if other goroutines can run: whether one of them runs first, and which. This is a preemption. A point is before each operation that others can
//     see, and behind each with which a goroutine lets others go on: an unlock, a send, a close, a WaitGroup.Done, a signal, a go statement.
//   - At a point, if a timer is set and the body has not returned: whether it fires first, although goroutines can run. What it wakes runs at once. This counts as a preemption, too. It happens
//     100 times in a run at most. A goroutine that was preempted at a point is asked again when it continues.
//   - When the running goroutine waits, yields or has ended: which of those that can run is next.
//   - In a select statement, if several cases are ready: which case is taken.
//
// The report's "every schedule with at most k preemptions was run" speaks of these choices alone, up to the order of operations that commute. What Go may do and is no choice is in none of these schedules: see the
// last list of this section. The choices decide which goroutine of those that begin, or that are woken by a
// WaitGroup, a Broadcast, or timers at the same instant, goes on first, who comes first to a lock or a channel, and whether one that comes anew gets a lock before one that is
// woken.
//
// Some things are left to chance: random numbers of package math/rand, which depend on the goroutine that draws them; the order in which a range statement goes through a map with several entries, and a sync.Map; whether a Pool
// still has what was put into it, except where the standard library asks. Chance decides in the same way in all systematic schedules, in which a Pool loses nothing. In each schedule that is drawn it decides in
// another way, and a Pool then loses what it is asked for once in four times. The report says what was left to chance, and does not speak of every schedule: see [Report.Chance].
//
// The rest is as the Go runtime has it with one processor. A bug that needs another way is not found:
//
//   - Time is simulated. It stands still while goroutines can run, unless a timer fires by choice, or all that can run go round in loops. Timers fire in the order in which they are
//     due. Those due at the same instant fire together.
//   - A timer fires by choice only where a goroutine is at a point. It does not where a goroutine continues after it waited.
//   - Of goroutines that wait for a lock, a channel, a semaphore of the runtime or a Signal the one that began to wait first is woken. The starvation mode of Mutex adds nothing that goroutines
//     that come in another order cannot do. A writer that waits for an RWMutex has later readers wait.
//   - TryLock and TryRLock fail only where the lock is held, or a writer waits. What package sync does within an operation is one step.
//
// # What is left out
//
// Most schedules differ from others only in the order of operations that commute, such as those on different locks. Where data races are looked for, each schedule is followed only until
// it comes to a state to which another one has come, with as few preemptions. The state is what has happened, up to that order: each operation is named by what its goroutine did
// before and by the last change of its object. Two runs with the same names know the same in the end, as long as no data race is found, and can go on in the same
// ways (happens-before caching: Musuvathi, Qadeer, MSR-TR-2007-12). A race is found in any order. So "every schedule was run" speaks of all outcomes; the report says how many
// schedules came to a state of another. With [Options.NoReduction] all are run.
//
// These are operations that do not commute if they have the same object:
//
//   - Channels: send, receive and close; len beside these. A select statement is an operation on all its channels, ready or not, and another when it goes on after it waited.
//   - Package sync: each operation on an object; where it waited it is one more when it goes on. Once.Do is one at its begin and one at its end. Reads of a Map commute.
//   - Package sync/atomic: each operation; loads commute.
//   - Timers are one object: to set, stop or fire any of them, to sleep, to use the channel of a timer, that time goes on, and that the body returns.
//   - The clock: that time goes on. Reads of the clock commute with each other.
//   - A [History]: calls commute with calls, but not with returns.
//   - What wakes a goroutine, or begins it, comes before what that goroutine does. Goroutines from before the body, and timers, count as one goroutine each.
//
// Random numbers, and with them the order of maps, are those of the goroutine that draws them: other goroutines do not change them.
//
// Nothing is left out in a run once it calls runtime.NumGoroutine, runtime.Stack, runtime.GC, runtime.ReadMemStats, iter.Pull or synctest.Test; once a goroutine has had to give way;
// once races are no longer looked for; from 200 goroutines that can run and 8,192 objects on; and after 4 million states. What depends on the
// addresses of objects, such as the order of a map whose keys are pointers, may have outcomes that are left out. So may a race that is not seen: see below.
//
// # Loops
//
// A goroutine that comes to the same point again and again, with the same on its stack, waits in a loop for others, or so it seems. Once it has done so 4 times without anything
// new by others it is no more preempted. After 100 times (3 if it yields) it gives way to one that can run and does not wait so. This is no preemption. If all
// wait so, time goes on to the next timer. A loop that counts, or that goes through a list, never gives way, unless it passes 5,000 points in a row.
// A schedule that is drawn is fair to all after 10,000 choices.
// The schedules in which a goroutine does not give way are not run. The report says in how many schedules that happened, and then does not call them all. So does a run in which 50,000 points are passed while a timer is set: the timer then fires.
//
// # How a run ends
//
// A run ends when the body has returned and all goroutines that it began have ended, or wait for ever, or only wait for periodic timers, as a janitor does. One that waits for
// something else beside these waits for ever, and is a leak, if they have run a few times and were where they were before each time. After 50 times at which all goroutines
// waited for timers a run ends without a verdict on what waits, which the report says. While the body has not returned, it is a deadlock or endless if all goroutines wait 1,000 times for timers and nothing new happens, or 10,000 times in a row for periodic timers alone.
// Where a timer is due once and others tick, time goes on to that one after 10 ticks.
//
// What is left behind is gone in the next run, which begins in the state of the process in which the first run began. Goroutines from before the body, such as those that a
// package begins when it is initialised, run whenever they can, have no points, and never count.
//
// # What the body must be
//
// It makes all that it uses, and waits for its goroutines. All runs take place in one process, so that package variables live on from one run to the
// next. If a run does another thing than before under the same choices the search begins anew, and each run then begins in the state in which the first did: the
// report's Fresh. That costs about half a millisecond a run. The body runs with the go command's working directory and environment.
//
// It may use the test: t.Run runs a subtest, whose name is told with what it writes; cleanup functions run and the context of the test ends when the body returns; t.Skip ends the body, and
// skips the test if the first schedule does so. Files can be read. A body that writes a file, makes a directory, as t.TempDir does, or runs a program gets an error from that, and
// the test fails by a sentence that names what it did, even if no schedule fails. So it does at once where the body calls t.Parallel.
//
// # What is not seen
//
// Effects of weak memory do not exist here: all operations take place in one order. A data race is told, but what it does is seen only with [Options.NoRaces], and as
// far as points lie between. Races are not looked for in accesses to a goroutine's own stack, in assembly, in what finalizers
// do, from the 4,095th goroutine of a run on, and in a run after accesses to 4 million words of memory that are not ordered; the report tells of the last two. Memory that goroutines use takes half as
// much again. Package net works within the body only, cgo and processes do not. A goroutine that loops for long without a point ends the run. A goroutine that
// goes on for ever by timers is no leak, whether it should have ended or not.
//
// A native guest that makes no call of the host for two seconds of CPU time is stopped, and its stack is told. Its memory is restored then, but code with package
// unsafe or assembly can write to the memory of the test itself. A body cannot use files by mmap, and has no sockets but those of package net.
package concurrent
