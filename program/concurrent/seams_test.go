package concurrent_test

import (
	"context"
	"math/rand"
	"os"
	"os/signal"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/program/concurrent"
)

// A library's goroutine that ticks from the start of the process on is no part of any run.
func init() {
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	go func() {
		for range time.Tick(time.Second) {
		}
	}()
}

// janitor begins a goroutine that looks for something to do again and again, as caches do, and a worker that it feeds.
func janitor(every time.Duration) {
	work := make(chan int)
	go func() {
		for range work {
		}
	}()
	go func() {
		for range time.NewTicker(every).C {
			work <- 1
		}
	}()
}

// sleeper is a janitor that sleeps.
func sleeper() {
	go func() {
		for n := 0; ; n++ {
			time.Sleep(time.Minute)
		}
	}()
}

// lazy is set once in a process.
var lazy = sync.OnceValue(func() int { return 1 })

// Correct bodies are correct: whatever ticks, sleeps, asks again and again, counts, or is set once in a process.
func TestNoFalseAlarm(t *testing.T) {
	for name, body := range map[string]func(t *testing.T){
		"empty":      func(*testing.T) {},
		"a janitor":  func(*testing.T) { janitor(time.Second) },
		"two others": func(*testing.T) { janitor(time.Hour); sleeper() },
		"the first timers": func(*testing.T) {
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() { <-time.After(1) })
			}
			wg.Wait()
		},
		"lazy": func(*testing.T) {
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() { lazy() })
			}
			wg.Wait()
		},
		"a time-out beside a ticker": func(*testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			defer cancel()
			janitor(time.Second)
			<-ctx.Done()
		},
		"a time-out after the body, beside a ticker": func(*testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			go func() { <-ctx.Done(); cancel() }()
			janitor(time.Second)
		},
		"a ticker that ends": func(*testing.T) {
			end := make(chan bool)
			go func() { <-end }()
			go func() {
				ticker := time.NewTicker(time.Second)
				defer ticker.Stop()
				for range 30 {
					<-ticker.C
				}
				close(end)
			}()
		},
		"many sleeps after the body": func(*testing.T) {
			end := make(chan bool)
			go func() { <-end }()
			go func() {
				for range 1_000 {
					time.Sleep(time.Second)
				}
				close(end)
			}()
		},
		"signals": func(*testing.T) {
			c := make(chan os.Signal, 1)
			signal.Notify(c, os.Interrupt)
			signal.Stop(c)
		},
		"polling until a timer": func(*testing.T) {
			var mu sync.Mutex
			done := false
			time.AfterFunc(time.Second, func() { mu.Lock(); defer mu.Unlock(); done = true })
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					for empty := make(chan int); ; {
						mu.Lock()
						is := done
						mu.Unlock()
						if is {
							return
						}
						select {
						case <-empty:
						default:
						}
					}
				})
			}
			wg.Wait()
		},
		"polling with what is made anew": func(*testing.T) {
			var done atomic.Bool
			time.AfterFunc(time.Second, func() { done.Store(true) })
			for !done.Load() {
				select {
				case <-make(chan int):
				default:
				}
			}
		},
		"polling a timer": func(*testing.T) {
			timeout := time.After(time.Minute)
			for {
				select {
				case <-timeout:
					return
				default:
					continue
				}
			}
		},
		"polling the clock": func(*testing.T) {
			var n atomic.Int32
			for began := time.Now(); time.Since(began) < time.Hour; {
				n.Load()
			}
		},
		"many sleeps": func(*testing.T) {
			for range 100_000 {
				time.Sleep(time.Millisecond)
			}
		},
		"a long loop": func(*testing.T) {
			var mu sync.Mutex
			n := 0
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					for range 250 {
						mu.Lock()
						n++
						mu.Unlock()
					}
				})
			}
			wg.Wait()
		},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := concurrent.Options{Schedules: 60}.Search(t, func() { body(t) })
			if err != nil || r.Failure != nil {
				t.Errorf("%v: %v\n%v", err, r, r.Failure)
			}
			if strings.HasPrefix(name, "a long") && r.GaveWay > 0 {
				t.Errorf("%v", r)
			}
		})
	}
}

// What plain Go can do is found, with as few preemptions as it needs; a timer that fires while others can run counts as one.
func TestSeams(t *testing.T) {
	for _, c := range []struct {
		bug
		find string // in what the failure says
	}{
		{bug{"deadlock beside a janitor", concurrent.Deadlock, 0, func(*testing.T) {
			janitor(time.Second)
			<-make(chan int)
		}}, "goroutine 0 [chan receive"},
		{bug{"deadlock beside a janitor that looks at the clock", concurrent.Deadlock, 0, func(*testing.T) {
			go func() {
				began := time.Now()
				for range time.Tick(time.Hour) {
					if time.Since(began) < 0 {
						return
					}
				}
			}()
			<-make(chan int)
		}}, "goroutine 0 [chan receive"},
		{bug{"leak beside a janitor", concurrent.Leak, 0, func(*testing.T) {
			janitor(time.Second)
			go func() { <-make(chan int) }()
		}}, "leak"},
		{bug{"leak at a timer that is not set", concurrent.Leak, 0, func(*testing.T) {
			timer := time.NewTimer(time.Second)
			<-timer.C
			go func() { <-timer.C }()
		}}, "leak"},
		{bug{"a time-out wins", concurrent.Failed, 1, func(t *testing.T) {
			done := make(chan bool, 1)
			go func() {
				var n atomic.Int32
				n.Add(1)
				done <- true
			}()
			select {
			case <-done:
			case <-time.After(time.Hour):
				t.Error("timed out")
			}
		}}, "the next timer fires"},
		{bug{"a timer after many is polled", concurrent.Failed, 1, func(t *testing.T) {
			for range 100 {
				time.NewTimer(time.Hour).Stop()
			}
			timer := time.NewTimer(time.Hour)
			var n atomic.Int32
			n.Add(1)
			select {
			case <-timer.C:
				t.Error("timed out")
			default:
			}
		}}, "the next timer fires"},
		{bug{"a context ends before it is used", concurrent.Failed, 1, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			defer cancel()
			var n atomic.Int32
			n.Add(1)
			if ctx.Err() != nil {
				t.Error(ctx.Err())
			}
		}}, "deadline exceeded"},
		{bug{"between the unlock and the next line", concurrent.Failed, 1, func(t *testing.T) {
			var mu sync.Mutex
			n := 0
			var wg sync.WaitGroup
			for range 2 {
				wg.Go(func() {
					mu.Lock()
					v := n
					mu.Unlock()
					n = v + 1
				})
			}
			wg.Wait()
			if n != 2 {
				t.Errorf("n is %d", n)
			}
		}}, "n is 1"},
		{bug{"between the go statement and the next line", concurrent.Failed, 1, func(t *testing.T) {
			ready, end := false, make(chan bool)
			go func() {
				if !ready {
					t.Error("not ready")
				}
				close(end)
			}()
			ready = true
			<-end
		}}, "not ready"},
		{bug{"two hundred and fifty pairs", concurrent.Failed, 0, func(t *testing.T) {
			var mu sync.Mutex
			done := 0
			go func() {
				mu.Lock()
				done++
				mu.Unlock()
			}()
			for range 250 {
				mu.Lock()
				_ = done
				mu.Unlock()
			}
			mu.Lock()
			defer mu.Unlock()
			if done == 0 {
				t.Error("the other has not run")
			}
		}}, "the other has not run"},
		{bug{"a random number", concurrent.Failed, 0, func(t *testing.T) {
			if rand.Intn(8) == 3 {
				t.Error("it is 3")
			}
		}}, "it is 3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := concurrent.Options{Schedules: 400, NoRaces: true}.Search(t, func() { c.body(t) })
			if err != nil {
				t.Fatal(err)
			}
			f := r.Failure
			if f == nil {
				t.Fatalf("nothing fails: %v", r)
			}
			if f.Outcome != c.outcome || f.Preemptions != c.preemptions || !strings.Contains(f.String(), c.find) {
				t.Errorf("%v with %d preemptions, want %v with %d and %q\n%v", f.Outcome, f.Preemptions, c.outcome, c.preemptions, c.find, f)
			}
		})
	}
}

// A run that goes on by timers for ever is ended, and the report says so.
func TestCut(t *testing.T) {
	r, err := concurrent.Options{Schedules: 20}.Search(t, sleeper)
	if err != nil || r.Failure != nil || r.Cut == 0 || r.All || !strings.Contains(r.String(), "went on by timers") {
		t.Errorf("%v, %v", r, err)
	}
}

// A deadlock says since which step goroutines wait, and who holds the locks that they wait for. The steps come before the stacks.
func TestWhoHoldsTheLock(t *testing.T) {
	r, err := concurrent.Options{}.Search(t, func() { lockOrder(t) })
	if err != nil || r.Failure == nil {
		t.Fatalf("%v, %v", r, err)
	}
	text := r.Failure.String()
	steps, stacks := strings.Index(text, "a schedule with 1 preemption:"), strings.Index(text, "goroutine 1 [sync.Mutex.Lock]:")
	for _, want := range []string{
		`goroutine 0 waits since step \d+: WaitGroup.Wait of group 1 at \w+.go:\d+\n`,
		`goroutine 1 waits since step \d+: Lock of lock \d at \w+.go:\d+; goroutine 2 holds it since step \d+\n`,
		`goroutine 2 waits since step \d+: Lock of lock \d at \w+.go:\d+; goroutine 1 holds it since step \d+\n`,
	} {
		if !regexp.MustCompile(want).MatchString(text) {
			t.Errorf("no %s", want)
		}
	}
	if steps < 0 || stacks < steps {
		t.Errorf("the steps are at %d, and stacks at %d", steps, stacks)
	}
	if t.Failed() {
		t.Log(text)
	}
}

// A search ends when its time is over, and says so.
func TestTimeout(t *testing.T) {
	r, err := concurrent.Options{Timeout: time.Nanosecond}.Search(t, func() {
		var wg sync.WaitGroup
		var n atomic.Int32
		for range 3 {
			wg.Go(func() { n.Add(1) })
		}
		wg.Wait()
	})
	if err != nil || r.Failure != nil || !r.Stopped || r.Schedules > 20 || !strings.Contains(r.String(), "the time-out stopped the search") {
		t.Errorf("%v, %v", r, err)
	}
}

// deep calls a function at a depth.
//
//go:noinline
func deep(depth int, f func()) (room [4]int) {
	if depth == 0 {
		f()
		return room
	}
	room = deep(depth-1, f)
	room[depth%4]++
	return room
}

// A point at which a goroutine's stack grows is one as any other.
func TestStackGrowsAtAPoint(t *testing.T) {
	r, err := concurrent.Options{Schedules: 20}.Search(t, func() {
		time.Sleep(time.Nanosecond)
		var n atomic.Int32
		var wg sync.WaitGroup
		for depth := range 60 {
			wg.Go(func() { deep(depth, func() { n.Add(1) }) })
		}
		wg.Wait()
	})
	if err != nil || r.Failure != nil {
		t.Errorf("%v: %v", err, r.Failure)
	}
}
