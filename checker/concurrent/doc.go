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
// The function is the body. It is run many times: under all schedules without preemptions, then all with one, with two, and then under
// schedules that are drawn at random. A schedule fails when a goroutine panics; when the body fails the test; when all goroutines wait and
// none can go on, or some still wait once the body has returned; when it does not end; when two goroutines race for a variable; or when operations
// that were recorded by a [History] are not linearizable. The first that fails is made smaller, printed step by step, and kept in testdata/contend,
// where it is run first from then on.
//
// # How it works
//
// The test builds its own package for WebAssembly, by go test -c with GOOS=wasip1, and runs the body there in this process. In this build the
// scheduler of the Go runtime asks the test which goroutine runs next, and before each operation that other goroutines can see whether
// another one runs first. Package [contend/model/program/overlay] lists these points.
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
// For this the Go compiler is built once for each Go release, from the source in GOROOT, such that it marks loads and stores also for WebAssembly. That takes
// one to two minutes of CPU. The compiler is kept in the user's cache directory, below contend. With [Options.NoRaces] it is not needed.
//
// A goroutine that makes a million accesses without a point waits in a loop for a plain variable, or so it seems, and another that can run gets its
// turn, so that the race can be seen.
//
// # What is a choice
//
// A schedule is a list of choices of three kinds:
//
//   - At a point, if other goroutines can run: whether one of them runs first, and which. This is a preemption.
//   - When the running goroutine waits, yields or has ended: which of those that can run is next.
//   - In a select statement, if several cases are ready: which case is taken.
//
// The report's "every schedule with at most k preemptions was run" speaks of these choices. Whatever else a Go program may do is not
// chosen, so that a bug that needs it is not found:
//
//   - Time is simulated. It stands still while a goroutine can run, unless it is alone and passes many points, as in a loop that waits for a timer. Else
//     it moves on to the next timer. A timeout therefore never comes before what goroutines can do without waiting.
//   - Random numbers, and the order in which a range statement goes through a map, are the same in each run.
//   - Pool.Get, Cond.Signal, and the order in which waiting goroutines get a lock, a channel or a semaphore are as the runtime has them with one
//     processor.
//   - A point is before an operation, and none is after it. What a goroutine does after an unlock, a send, a close or a go statement, up to its next
//     point, is not separated from that operation.
//
// A goroutine that passes many points about the same few objects in a row seems to wait in a loop, and has to give way to another that can
// run. This is no preemption. The schedules in which it goes on are not run. The report says in how many schedules that happened, and then does not
// call them all.
//
// # What the body must be
//
// It makes all that it uses, and waits for its goroutines. All runs take place in one process, so that package variables live on from one run to the
// next. A run that does another thing than before under the same choices is an error. The body runs with the
// go command's working directory, can read files and cannot write them, and sees no environment variables.
// It must not call t.Run, t.Parallel or t.Skip.
//
// # What is not seen
//
// Between two points a goroutine runs alone. What a data race does is therefore not seen, but that there is one. Effects of weak memory
// do not exist here: all operations take place in one order. Races are not looked for in accesses to a goroutine's own stack, in assembly, in what finalizers
// do, from the 4,095th goroutine of a run on, and in a run after accesses to 4 million words of memory that are not ordered. Memory that goroutines use takes half as
// much again. Package net works within the body only, cgo and processes do
// not. A goroutine that loops without a point cannot be stopped, and ends the test after a minute.
package concurrent
