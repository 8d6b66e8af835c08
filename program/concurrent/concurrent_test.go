package concurrent_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/program/concurrent"
)

var full = flag.Bool("full", false, "plant all mistakes and not each third, and follow a user's test from its failure to its repair")

// A body that goes on for ever, by timers or by operations, is a failure.
func TestEndless(t *testing.T) {
	for name, body := range map[string]func(){
		"timers": func() {
			for range time.Tick(time.Second) {
			}
		},
		"operations": func() {
			var stop atomic.Bool
			go func() {
				for !stop.Load() {
				}
			}()
			for !stop.Load() {
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := concurrent.Options{Schedules: 1}.Search(t, body)
			if err != nil {
				t.Fatal(err)
			}
			if r.Failure == nil || r.Failure.Outcome != concurrent.Endless {
				t.Fatalf("%v: %v", r, r.Failure)
			}
			if text := r.Failure.String(); !regexp.MustCompile(`^the run does not end\n(goroutine \d goes on: [a-zA-Z. ]+ at concurrent_test.go:\d+\n)+a schedule with`).MatchString(text) {
				t.Errorf("%.1000s", text)
			}
		})
	}
}

// A loop that waits for another goroutine lets it run, without a preemption. Time goes on when all goroutines wait, or loop.
func TestWaits(t *testing.T) {
	r, err := concurrent.Options{Schedules: 40}.Search(t, func() {
		var ready atomic.Bool
		began := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() {
			for !ready.Load() {
			}
		})
		wg.Go(func() {
			time.Sleep(20 * time.Millisecond)
			ready.Store(true)
		})
		wg.Wait()
		time.Sleep(time.Hour)
		if d := time.Since(began); d < time.Hour || d > time.Hour+time.Minute {
			t.Errorf("%v have passed", d)
		}
	})
	if err != nil || r.Failure != nil {
		t.Fatalf("%v, %v, %v", r, r.Failure, err)
	}
	if r.GaveWay == 0 || r.Complete >= 0 || r.All || !strings.Contains(r.String(), "had to give way") {
		t.Errorf("a goroutine gave way, and the report is %v", r)
	}
}

// A lock that is tried only where nothing else can run may be held by a goroutine that is preempted before it unlocks.
func TestTriesAlone(t *testing.T) {
	r, err := concurrent.Options{Preemptions: 1}.Search(t, func() {
		var mu sync.Mutex
		held := make(chan bool, 1)
		var wg sync.WaitGroup
		wg.Go(func() {
			mu.Lock()
			held <- true
			mu.Unlock()
		})
		wg.Go(func() {
			<-held
			if !mu.TryLock() {
				t.Error("the lock is held")
				return
			}
			mu.Unlock()
		})
		wg.Wait()
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Preemptions != 1 || r.Failure.By != "systematic" {
		t.Errorf("%v: %v", r, r.Failure)
	}
}

// What lives on from one run to the next has each run begin as the first one did, once that is noticed.
var runs, rounds int

func TestLivesOn(t *testing.T) {
	r, err := concurrent.Options{Schedules: 200}.Search(t, func() {
		runs++
		var n atomic.Int32
		var wg sync.WaitGroup
		for range 2 + runs%2 {
			wg.Go(func() { n.Add(1) })
		}
		wg.Wait()
	})
	if err != nil || !r.Fresh || r.Failure != nil {
		t.Errorf("%v: %v", r, err)
	}
}

// A body that fails only since something lives on does not fail.
func TestFailsOnce(t *testing.T) {
	r, err := concurrent.Options{Schedules: 200}.Search(t, func() {
		if rounds++; rounds == 2 {
			t.Error("the second run")
		}
		var n atomic.Int32
		var wg sync.WaitGroup
		wg.Go(func() { n.Add(1) })
		wg.Go(func() { n.Add(1) })
		wg.Wait()
	})
	if err != nil || !r.Fresh || r.Failure != nil {
		t.Errorf("%v: %v", r, err)
	}
}

// Whatever is drawn at random is the same in each run.
func TestRandomNumbers(t *testing.T) {
	r, err := concurrent.Options{Schedules: 100}.Search(t, func() {
		m := map[int]bool{}
		for i := range 20 {
			m[i] = true
		}
		var n atomic.Int32
		var wg sync.WaitGroup
		wg.Go(func() {
			for i := range m {
				if i%3 == 0 {
					n.Add(1)
				}
				if i == 7 {
					break
				}
			}
		})
		wg.Go(func() { n.Add(1) })
		wg.Wait()
	})
	if err != nil || r.Failure != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// inside is set in the program that runs a body.
var inside = os.Getenv("CONTEND_TEST") != ""

// The case of a select statement is chosen where several are ready.
func TestSelect(t *testing.T) {
	r, err := concurrent.Options{Preemptions: -1}.Search(t, func() {
		a, b, c := make(chan int, 1), make(chan int, 1), make(chan int, 1)
		a <- 1
		c <- 3
		var wg sync.WaitGroup
		wg.Go(func() {
			select {
			case v := <-a: // the runtime has the last receive first
				t.Errorf("received %d", v)
			case <-b:
			case <-c:
			}
		})
		wg.Wait()
	})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Preemptions != 0 || r.Failure.After != 2 {
		t.Errorf("%v: %v", r, r.Failure)
	}
}

// A user's test fails, keeps the schedule, runs it first the next time, and passes once the mistake is mended.
func TestKept(t *testing.T) {
	if !*full {
		t.Skip("it runs go test several times: run it with -full")
	}
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	edits := strings.NewReplacer("module contend/program\n", "module user\n", "contend => ../", "contend => "+filepath.Dir(root)).Replace(string(mod))
	write("go.mod", edits+"\nrequire contend/program v0.0.0\nreplace contend/program => "+root+"\n")
	write("user_test.go", userTest)
	write("counter.go", counter)
	guest := "CONTEND_GUEST="
	run := func() string {
		c := exec.Command("go", "test", "-mod=mod", "-v", "-short", "-run", "^TestCounter$", ".")
		c.Dir = dir
		c.Env = append(os.Environ(), guest)
		out, _ := c.CombinedOutput()
		return string(out)
	}
	expect := func(out string, patterns ...string) {
		t.Helper()
		for _, p := range patterns {
			if !regexp.MustCompile(p).MatchString(out) {
				t.Errorf("no %q in\n%s", p, out)
			}
		}
	}
	expect(run(), "FAIL", "the counter is 1", `counter.go:\d+ +\(\*Counter\).Increment +atomic store .*is preempted before it`,
		"kept in testdata/contend/TestCounter/failed.schedule, and run first from now on")
	expect(run(), "FAIL", "the counter is 1", "kept in testdata/contend/TestCounter/failed.schedule\n")
	guest = "CONTEND_GUEST=wasm"
	expect(run(), "FAIL", "the counter is 1", "kept in testdata/contend/TestCounter/failed.schedule\n")
	guest = "CONTEND_GUEST=other"
	expect(run(), "FAIL", `CONTEND_GUEST is "other", and can be wasm or native`)
	guest = "CONTEND_GUEST="
	write("counter.go", strings.Replace(counter, "c.n.Store(c.n.Load() + 1)", "c.n.Add(1)", 1))
	expect(run(), "(?m)^ok")
	guest = "CONTEND_GUEST=wasm"
	expect(run(), "(?m)^ok", "passes on wasm; it was found on native, where maps may have another order: CONTEND_GUEST=native runs it there")
	guest = "CONTEND_GUEST="
	write("counter.go", strings.Replace(counter, "c.n.Store(c.n.Load() + 1)", "c.n.Add(1); c.last = 1", 1))
	if err := os.Remove(filepath.Join(dir, "testdata/contend/TestCounter/failed.schedule")); err != nil {
		t.Fatal(err)
	}
	race := []string{"FAIL", "data race", `(?s)write by goroutine 2\n.*counter.go:10\n.*races with an earlier write by goroutine 1\n.*counter.go:10\n`}
	expect(run(), append(race, "kept in testdata/contend/TestCounter/data-race.schedule, and run first from now on")...)
	expect(run(), append(race, "kept in testdata/contend/TestCounter/data-race.schedule\n")...)
	write("counter.go", strings.Replace(counter, "c.n.Store(c.n.Load() + 1)", "c.n.Add(1)", 1))
	expect(run(), "(?m)^ok")
	write("testdata/contend/TestCounter/failed.schedule", "{")
	expect(run(), "FAIL", "failed.schedule is not a schedule: unexpected end of JSON input")
	if err := os.Remove(filepath.Join(dir, "testdata/contend/TestCounter/failed.schedule")); err != nil {
		t.Fatal(err)
	}
	mended := strings.Replace(counter, "c.n.Store(c.n.Load() + 1)", "c.n.Add(1)", 1)
	write("counter.go", strings.Replace(mended, "import (", "import (\n\t\"syscall\"", 1)+"\nvar _ = syscall.Getrusage\n")
	expect(run(), "(?m)^ok") // as a native guest
	guest = "CONTEND_GUEST=wasm"
	expect(run(), "FAIL", "the tests of this package do not build for GOOS=wasip1")
}

const userTest = `package user

import (
	"sync"
	"testing"

	"contend/program/concurrent"
)

func TestCounter(t *testing.T) {
	concurrent.Test(t, func() {
		var c Counter
		var wg sync.WaitGroup
		wg.Go(c.Increment)
		wg.Go(c.Increment)
		wg.Wait()
		if c.n.Load() != 2 {
			t.Errorf("the counter is %d", c.n.Load())
		}
	})
}
`

const counter = `package user

import (
	"sync/atomic"
)

type Counter struct{ n atomic.Int32; last int }

func (c *Counter) Increment() {
	c.n.Store(c.n.Load() + 1)
}
`
