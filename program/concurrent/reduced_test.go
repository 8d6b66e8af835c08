package concurrent_test

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/program/concurrent"
)

// notes collects letters under a lock of its own.
type notes struct {
	mu   sync.Mutex
	text []byte
}

func (n *notes) add(c byte) {
	n.mu.Lock()
	n.text = append(n.text, c)
	n.mu.Unlock()
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return string(n.text)
}

// all runs functions, each in a goroutine, and waits for them.
func all(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(f)
	}
	wg.Wait()
}

// results are bodies with several results. In each, two goroutines or more meet in a way of their own.
var results = map[string]func() string{
	"atomics": func() string {
		var n atomic.Int32
		var seen [2]int32
		all(func() { n.Add(1); n.Store(n.Load() * 2) }, func() { seen[0] = n.Load(); n.Add(3); seen[1] = n.Load() })
		return fmt.Sprint(n.Load(), seen)
	},
	"compare and swap": func() string {
		var n atomic.Int32
		var won [3]bool
		all(func() { won[0] = n.CompareAndSwap(0, 1) }, func() { won[1] = n.CompareAndSwap(1, 2) }, func() { won[2] = n.CompareAndSwap(0, 2) })
		return fmt.Sprint(won, n.Load())
	},
	"who waits for a lock": func() string {
		var mu sync.Mutex
		var text []byte
		add := func(c byte) func() {
			return func() { mu.Lock(); text = append(text, c); mu.Unlock() }
		}
		mu.Lock()
		var wg sync.WaitGroup
		wg.Go(add('a'))
		wg.Go(add('b'))
		text = append(text, '-')
		mu.Unlock()
		add('c')()
		wg.Wait()
		return string(text)
	},
	"TryLock": func() string {
		var mu sync.Mutex
		var got [2]bool
		n := 0
		all(func() { mu.Lock(); n++; mu.Unlock() }, func() {
			for i := range got {
				if got[i] = mu.TryLock(); got[i] {
					mu.Unlock()
				}
			}
		})
		return fmt.Sprint(got)
	},
	"RWMutex": func() string {
		var mu sync.RWMutex
		n := 0
		var seen [2]int
		read := func(i int) func() {
			return func() { mu.RLock(); seen[i] = n; mu.RUnlock() }
		}
		all(read(0), func() { mu.Lock(); n = 1; mu.Unlock() }, func() { read(1)(); mu.Lock(); n += 2; mu.Unlock() })
		return fmt.Sprint(seen, n)
	},
	"unbuffered": func() string {
		c := make(chan int)
		var got []int
		all(func() { c <- 1 }, func() { c <- 2 }, func() { got = append(got, <-c, <-c) })
		return fmt.Sprint(got)
	},
	"buffered, closed": func() string {
		c := make(chan int, 2)
		var ok [2]bool
		var once sync.Once
		all(func() { c <- 1; once.Do(func() { close(c) }) }, func() { _, ok[0] = <-c }, func() { _, ok[1] = <-c; once.Do(func() { close(c) }) })
		return fmt.Sprint(ok)
	},
	"select that waits": func() string {
		a, b := make(chan int), make(chan int)
		var n notes
		all(func() { a <- 1 }, func() { b <- 1; n.add('b') }, func() {
			select {
			case <-a:
				n.add('1')
				<-b
			case <-b:
				n.add('2')
				<-a
			}
		})
		return n.String()
	},
	"select with default": func() string {
		a, b := make(chan int, 1), make(chan int, 1)
		var n notes
		all(func() { b <- 1; a <- 1 }, func() {
			for range 2 {
				select {
				case <-a:
					n.add('a')
				case <-b:
					n.add('b')
				default:
					n.add('-')
				}
			}
		})
		return n.String()
	},
	"two selects": func() string {
		a, b := make(chan int), make(chan int)
		var n notes
		meet := func(name byte) func() {
			return func() {
				select {
				case a <- 1:
					n.add(name)
				case <-b:
					n.add(name + 1)
				}
			}
		}
		all(meet('a'), meet('x'), func() { <-a }, func() { b <- 1 })
		return n.String()
	},
	"len": func() string {
		c := make(chan int, 2)
		is := 0
		all(func() { c <- 1; c <- 2 }, func() { is = len(c) })
		return fmt.Sprint(is)
	},
	"cond": func() string {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		var text []byte
		tokens := 0
		wait := func(name byte) func() {
			return func() {
				mu.Lock()
				for tokens == 0 {
					cond.Wait()
				}
				tokens--
				text = append(text, name)
				mu.Unlock()
			}
		}
		all(wait('a'), wait('b'), func() {
			for range 2 {
				mu.Lock()
				tokens++
				mu.Unlock()
				cond.Signal()
			}
		})
		return string(text)
	},
	"once": func() string {
		var once sync.Once
		var n notes
		first := byte('-')
		do := func(c byte) func() {
			return func() { once.Do(func() { n.add(c); first = c }); n.add(c - 32) }
		}
		all(do('a'), do('b'))
		return n.String() + string(first)
	},
	"WaitGroup": func() string {
		var n atomic.Int32
		var wg sync.WaitGroup
		wg.Add(2)
		var seen int32
		all(func() { n.Add(1); wg.Done(); n.Add(10) }, func() { n.Add(2); wg.Done() }, func() { wg.Wait(); seen = n.Load() })
		return fmt.Sprint(seen)
	},
	"pool": func() string {
		p := sync.Pool{New: func() any { return new(int) }}
		one := 1
		var seen [2]any
		all(func() { p.Put(&one); seen[0] = p.Get() }, func() { seen[1] = p.Get() })
		return fmt.Sprint(seen[0] == &one, seen[1] == &one)
	},
	"map": func() string {
		var m sync.Map
		var seen [2]any
		all(func() { seen[0], _ = m.LoadOrStore("k", 1); m.Delete("k") }, func() { seen[1], _ = m.LoadOrStore("k", 2) })
		v, ok := m.Load("k")
		return fmt.Sprint(seen, v, ok)
	},
	"clock": func() string {
		began := time.Now()
		var seen [2]time.Duration
		all(func() { time.Sleep(time.Second) }, func() {
			var n atomic.Int32
			seen[0] = time.Since(began)
			n.Add(1)
			seen[1] = time.Since(began)
		})
		return fmt.Sprint(seen)
	},
	"wall clock": func() string {
		began := time.Now()
		since := func() time.Duration { now := time.Now(); return now.Sub(began) }
		var seen [2]time.Duration
		all(func() { time.Sleep(time.Second) }, func() {
			var n atomic.Int32
			seen[0] = since()
			n.Add(1)
			seen[1] = since()
		})
		return fmt.Sprint(seen)
	},
	"timer that is stopped": func() string {
		timer := time.NewTimer(time.Second)
		var n atomic.Int32
		got, stopped := false, false
		all(func() { n.Add(1); stopped = timer.Stop(); n.Add(1) }, func() {
			n.Add(1)
			select {
			case <-timer.C:
				got = true
			default:
			}
		})
		return fmt.Sprint(got, stopped)
	},
	"two timers": func() string {
		var n notes
		a, b := time.After(time.Second), time.After(time.Second)
		all(func() { <-b; n.add('b') }, func() { <-a; n.add('a') }, func() { time.AfterFunc(time.Second, func() { n.add('f') }) })
		return n.String()
	},
	"sleepers": func() string {
		var n notes
		var c atomic.Int32
		all(func() { time.Sleep(2 * time.Second); n.add('a') }, func() { c.Add(1); time.Sleep(2 * time.Second); n.add('b') }, func() { time.Sleep(time.Second); c.Add(1); time.Sleep(time.Second); n.add('c') })
		return n.String()
	},
	"context": func() string {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		var n atomic.Int32
		var err error
		all(func() { n.Add(1); cancel() }, func() { <-ctx.Done(); err = ctx.Err() })
		return fmt.Sprint(err)
	},
	"number of goroutines": func() string {
		is := 0
		var n atomic.Int32
		all(func() { n.Add(1) }, func() { is = runtime.NumGoroutine() }, func() { n.Add(1) })
		return fmt.Sprint(is)
	},
	"yields": func() string {
		var n notes
		all(func() { runtime.Gosched(); n.add('a') }, func() { runtime.Gosched(); n.add('b') }, func() { n.add('c') })
		return n.String()
	},
	"asks again and again": func() string {
		var flag atomic.Bool
		var n notes
		all(func() {
			for !flag.Load() {
			}
			n.add('a')
		}, func() { n.add('b'); flag.Store(true); n.add('c') })
		return n.String()
	},
	"poll of a channel that is closed": func() string {
		c := make(chan int)
		is := "open"
		all(func() { close(c) }, func() {
			select {
			case <-c:
				is = "closed"
			default:
			}
		})
		return is
	},
	"select of which one channel gets ready": func() string {
		a, b := make(chan int, 1), make(chan int)
		is := "-"
		all(func() { a <- 1 }, func() {
			select {
			case <-a:
				is = "a"
			case <-b: // the runtime looks at the last receive first
			default:
			}
		})
		return is
	},
	"clock beside two timers": func() string {
		began, n := time.Now(), atomic.Int32{}
		time.NewTimer(time.Second)
		time.NewTimer(time.Minute)
		var seen [2]time.Duration
		all(func() { n.Add(1); seen[0] = time.Since(began) }, func() { n.Load(); seen[1] = time.Since(began) })
		return fmt.Sprint(seen)
	},
	"timer that is polled": func() string {
		timer, n := time.NewTimer(time.Second), atomic.Int32{}
		is := "-"
		all(func() { n.Add(1); timer.Reset(time.Hour) }, func() {
			n.Load()
			select {
			case <-timer.C:
				is = "fired"
			default:
			}
		})
		return is + fmt.Sprint(timer.Stop())
	},
	"two stops of a timer": func() string {
		timer, n := time.NewTimer(time.Second), atomic.Int32{}
		var stopped [2]bool
		stop := func(i int) func() {
			return func() { n.Load(); stopped[i] = timer.Stop() }
		}
		all(stop(0), stop(1))
		return fmt.Sprint(stopped)
	},
	"function of a timer": func() string {
		var n notes
		timer := time.AfterFunc(time.Second, func() { n.add('f') })
		all(func() { n.add('a') }, func() { timer.Stop() })
		time.Sleep(time.Hour)
		return n.String()
	},
	"ranges over a map": func() string {
		var m sync.Map
		n := 0
		all(func() { m.Store("a", 1) }, func() { m.Range(func(any, any) bool { n++; return true }) })
		return fmt.Sprint(n)
	},
	"pool of two": func() string {
		var p sync.Pool
		one, two := 1, 2
		all(func() { p.Put(&one) }, func() { p.Put(&two) })
		first, _ := p.Get().(*int)
		return fmt.Sprint(first == &one)
	},
	"history": func() string {
		h := concurrent.Record(register)
		var n atomic.Int32
		all(func() { h.Call(read{}, func() any { n.Load(); return 0 }) }, func() { h.Call(read{}, func() any { n.Load(); return 0 }) })
		text := fmt.Sprint(h) // whether one returns before the other is called
		calls, returns := strings.LastIndex(text, "calls"), strings.Index(text, "returns")
		return fmt.Sprint(returns < calls)
	},
	"a child after an operation": func() string {
		var n atomic.Int32
		var wg sync.WaitGroup
		var seen int32
		wg.Go(func() { n.Add(1); wg.Go(func() { seen = n.Load() }); n.Add(1) })
		wg.Go(func() { n.Add(10) })
		wg.Wait()
		return fmt.Sprint(seen)
	},
	"goroutines of goroutines": func() string {
		var n notes
		var wg sync.WaitGroup
		begin := func(c byte) func() {
			return func() {
				wg.Go(func() { n.add(c) })
				n.add(c - 32)
			}
		}
		wg.Go(begin('a'))
		wg.Go(begin('b'))
		wg.Wait()
		return n.String()
	},
}

// deeper are the bodies of which schedules with two preemptions are run, or three with -full, and not only those with one. With two goroutines, which have no other choices, fewer
// preemptions tell less.
var deeper = []string{"atomics", "TryLock", "clock", "wall clock", "clock beside two timers", "len", "map", "pool", "poll of a channel that is closed", "ranges over a map", "select of which one channel gets ready", "timer that is polled", "timer that is stopped"}

// wide are the bodies with so many schedules that those with a preemption are run only with -full.
var wide = []string{"two selects"}

// A body has the same results, with as few preemptions, whether schedules are left out that only order differently what commutes, or none is.
func TestReduced(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(results)) {
		t.Run(name, func(t *testing.T) {
			most := 1
			if slices.Contains(deeper, name) {
				most = 2
				if *full {
					most = 3
				}
			}
			if slices.Contains(wide, name) && !*full {
				most = 0
			}
			o := concurrent.Options{Preemptions: most, Schedules: 10_000}
			reduced, less := concurrent.Results(t, o, results[name])
			o.NoReduction = true
			want, every := concurrent.Results(t, o, results[name])
			if inside {
				return
			}
			if !maps.Equal(reduced, want) || len(want) < 2 {
				t.Errorf("reduced %v, want %v", reduced, want)
			}
			if made(less) >= made(every) {
				t.Errorf("%v schedules, and %v without reduction", less.Systematic, every.Systematic)
			}
			for _, r := range []*concurrent.Report{less, every} {
				if r.Complete < most && r.GaveWay == 0 {
					t.Errorf("%v", r)
				}
			}
			t.Logf("%d results, %v instead of %v", len(want), less.Systematic, every.Systematic)
		})
	}
}

// made is how many systematic schedules were run.
func made(r *concurrent.Report) (n int) {
	for _, some := range r.Systematic {
		n += some
	}
	return n
}
