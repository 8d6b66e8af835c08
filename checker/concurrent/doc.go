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
// none can go on, or some still wait once the body has returned; when it does not end; or when operations that were recorded by a
// [History] are not linearizable. The first that fails is made smaller, printed step by step, and kept in testdata/contend,
// where it is run first from then on.
//
// # How it works
//
// The test builds its own package for WebAssembly, by go test -c with GOOS=wasip1, and runs the body there in this process. In this build the
// scheduler of the Go runtime asks the test which goroutine runs next, and before each operation that other goroutines can see whether
// another one runs first. Package [contend/model/program/overlay] lists these points. Time is simulated: it stands still while a
// goroutine can run, and else it moves on to the next timer. Random numbers are the same in each run.
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
// Between two points a goroutine runs alone. Data races on plain variables are therefore not found: run go test -race as well. Effects of weak memory
// do not exist here: all operations take place in one order. Package net works within the body only, cgo and processes do
// not. A goroutine that loops without a point cannot be stopped, and ends the test after a minute.
package concurrent
