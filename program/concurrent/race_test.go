package concurrent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/program/concurrent"
)

// raceCase is a body with a data race, or without.
type raceCase struct {
	name string
	body func(t *testing.T)
}

// Each data race is found, with both places, whose lines end in "// races".
func TestRaces(t *testing.T) {
	for _, c := range racy {
		t.Run(c.name, func(t *testing.T) {
			r, err := concurrent.Options{Schedules: 2_000}.Search(t, func() { c.body(t) })
			if err != nil {
				t.Fatal(err)
			}
			f := r.Failure
			if f == nil || f.Outcome != concurrent.Race {
				t.Fatalf("%v: %v", r, f)
			}
			t.Logf("after %d schedules\n%v", f.After, f)
			if f.After > 1 && c.name != "Add beside Wait" && c.name != "time-out beside the work" {
				t.Errorf("the first schedule has the race already, in one order of its accesses")
			}
			first, second, found := strings.Cut(f.Text, "races with an earlier ")
			if !found {
				t.Fatalf("one access only: %s", f.Text)
			}
			for _, access := range []string{first, second} {
				if line := lineOf(t, access); !strings.HasSuffix(line, "// races") {
					t.Errorf("%q is a place in\n%s", line, access)
				}
			}
		})
	}
}

// lineOf is the source line of the first place of this file in a stack.
func lineOf(t *testing.T, stack string) string {
	t.Helper()
	at := regexp.MustCompile(`race_test\.go:(\d+)`).FindStringSubmatch(stack)
	if at == nil {
		return "no place of this file"
	}
	text, err := os.ReadFile("race_test.go")
	if err != nil {
		t.Fatal(err)
	}
	n, _ := strconv.Atoi(at[1])
	return strings.TrimSpace(strings.Split(string(text), "\n")[n-1])
}

// A body whose accesses are ordered has no race in any schedule.
func TestNoRaces(t *testing.T) {
	o := concurrent.Options{Schedules: 400, Preemptions: 1}
	if *full {
		o = concurrent.Options{}
	}
	useLibrary(t) // what it keeps from one run to the next is made here
	for _, c := range ordered {
		t.Run(c.name, func(t *testing.T) {
			r, err := o.Search(t, func() { c.body(t) })
			if err != nil || r.Failure != nil {
				t.Fatalf("%v, %v: %v", r, err, r.Failure)
			}
			t.Log(r)
		})
	}
}

// A run with more goroutines than are told apart is looked at as far as that: it has no false alarms.
func TestManyGoroutines(t *testing.T) {
	r, err := concurrent.Options{Schedules: 2}.Search(t, func() {
		var mu sync.Mutex
		n, done := 0, make(chan bool)
		for range 4_200 {
			go func() {
				mu.Lock()
				n++
				mu.Unlock()
				done <- true
			}()
			<-done
		}
	})
	if err != nil || r.Failure != nil || !r.Unseen || !strings.Contains(r.String(), "not looked for to the end") {
		t.Errorf("%v, %v: %v", r, err, r.Failure)
	}
}

// With NoRaces none is looked for.
func TestRacesOff(t *testing.T) {
	r, err := concurrent.Options{Schedules: 100, NoRaces: true}.Search(t, func() { counterRace(t) })
	if err != nil || r.Failure != nil {
		t.Errorf("%v, %v: %v", r, err, r.Failure)
	}
}

var racy = []raceCase{
	{"counter", counterRace},
	{"read beside write of a map", func(*testing.T) {
		m := map[string]int{"a": 1}
		both(
			func() { m["b"] = 2 }, // races
			func() { _ = m["a"] }, // races
		)
	}},
	{"length of a map", func(*testing.T) {
		m := map[int]int{}
		both(
			func() { m[1] = 2 },                  // races
			func() { runtime.KeepAlive(len(m)) }, // races
		)
	}},
	{"range of a map", func(*testing.T) {
		m := map[int]int{1: 1}
		both(
			func() { delete(m, 1) }, // races
			func() {
				for range m { // races
				}
			},
		)
	}},
	{"polled flag", func(*testing.T) {
		ready := false
		both(
			func() { ready = true }, // races
			func() {
				for !ready { // races
					runtime.Gosched()
				}
			},
		)
	}},
	{"flag polled without a point", func(*testing.T) {
		ready := false
		both(
			func() {
				for {
					if ready { // races
						return
					}
				}
			},
			func() { ready = true }, // races
		)
	}},
	{"copy of a struct", func(*testing.T) {
		p := &struct{ a, b, c int }{}
		both(
			func() { p.c = 1 }, // races
			func() {
				q := *p // races
				runtime.KeepAlive(&q)
			},
		)
	}},
	{"append", func(*testing.T) {
		var all []int
		both(
			func() { all = append(all, 1) }, // races
			func() { all = append(all, 2) }, // races
		)
	}},
	{"copy of a slice", func(*testing.T) {
		from, to := make([]byte, 100), make([]byte, 100)
		both(
			func() { copy(to, from) }, // races
			func() { from[99] = 1 },   // races
		)
	}},
	{"bytes of one word", func(*testing.T) {
		var b [8]byte
		both(
			func() { b[3] = 1 }, // races
			func() { b[3]++ },   // races
		)
	}},
	{"part of a word that was written", func(*testing.T) {
		var own atomic.Int32
		b := make([]byte, 8)
		both(
			func() {
				copy(b, "abcdefgh") // races
				own.Store(1)        // its clock goes on
				b[0] = 'i'
			},
			func() { b[5] = 'j' }, // races
		)
	}},
	{"captured loop variable", func(*testing.T) {
		var wg sync.WaitGroup
		var i int
		for i = 0; i < 2; i++ { // races
			wg.Go(func() { runtime.KeepAlive(i) }) // races
		}
		wg.Wait()
	}},
	{"Add beside Wait", func(*testing.T) {
		var wg sync.WaitGroup
		add := wg.Add // so that go vet does not see it
		go func() {
			add(1) // races
			wg.Done()
		}()
		runtime.Gosched()
		wg.Wait() // races
	}},
	{"double-checked locking", doubleChecked},
	{"result before Done", func(*testing.T) {
		var wg sync.WaitGroup
		result := 0
		wg.Add(1)
		go func() {
			wg.Done()
			result = 1 // races
		}()
		wg.Wait()
		runtime.KeepAlive(result) // races
	}},
	{"write after the go statement", func(*testing.T) {
		n, done := 0, make(chan bool)
		go func() {
			runtime.KeepAlive(n) // races
			close(done)
		}()
		n = 1 // races
		<-done
	}},
	{"two locks", func(*testing.T) {
		var a, b sync.Mutex
		n := 0
		both(
			func() {
				a.Lock()
				n++ // races
				a.Unlock()
			},
			func() {
				b.Lock()
				n++ // races
				b.Unlock()
			},
		)
	}},
	{"write after unlock", func(*testing.T) {
		var mu sync.Mutex
		n, locked := 0, 0
		both(
			func() {
				mu.Lock()
				locked++
				mu.Unlock()
				n = 1 // races
			},
			func() {
				mu.Lock()
				runtime.KeepAlive(n) // races
				mu.Unlock()
			},
		)
	}},
	{"write with a read lock", func(*testing.T) {
		var mu sync.RWMutex
		n := 0
		write := func() {
			mu.RLock()
			n++ // races
			mu.RUnlock()
		}
		both(write, write)
	}},
	{"atomic store beside a read", func(*testing.T) {
		var n int64
		both(
			func() { atomic.StoreInt64(&n, 1) }, // races
			func() { runtime.KeepAlive(n) },     // races
		)
	}},
	{"write beside an atomic load", func(*testing.T) {
		var n int32
		both(
			func() { n = 1 }, // races
			func() { runtime.KeepAlive(atomic.LoadInt32(&n)) }, // races
		)
	}},
	{"write before an atomic store", func(*testing.T) {
		var own atomic.Int32
		var n int32
		both(
			func() {
				n = 1        // races
				own.Store(1) // its clock goes on
				atomic.StoreInt32(&n, 2)
			},
			func() { atomic.StoreInt32(&n, 3) }, // races
		)
	}},
	{"failed compare-and-swap", func(*testing.T) {
		var taken atomic.Bool
		taken.Store(true)
		n := 0
		both(
			func() {
				n = 1 // races
				taken.CompareAndSwap(false, true)
			},
			func() {
				taken.Load()
				runtime.KeepAlive(n) // races
			},
		)
	}},
	{"write after send", func(*testing.T) {
		c, n := make(chan int), 0
		both(
			func() {
				c <- 1
				n = 1 // races
			},
			func() {
				<-c
				runtime.KeepAlive(n) // races
			},
		)
	}},
	{"receive from a buffer", func(*testing.T) {
		c, n := make(chan int, 1), 0
		both(
			func() {
				c <- 1
				runtime.KeepAlive(n) // races
			},
			func() {
				n = 1 // races
				<-c
			},
		)
	}},
	{"send beside close", func(*testing.T) {
		c := make(chan int, 1)
		both(
			func() { c <- 1 },   // races
			func() { close(c) }, // races
		)
	}},
	{"time-out beside the work", func(*testing.T) {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		n, stopped := 0, make(chan bool)
		context.AfterFunc(ctx, func() {
			runtime.KeepAlive(n) // races
			close(stopped)
		})
		both(func() { n = 1 }) // races
		cancel()
		<-stopped
	}},
	{"AfterFunc", func(*testing.T) {
		n := 0
		time.AfterFunc(time.Millisecond, func() { n = 1 }) // races
		time.Sleep(time.Second)
		runtime.KeepAlive(n) // races
	}},
	{"object of a pool after Put", func(*testing.T) {
		var p sync.Pool
		both(
			func() {
				b := new([8]int)
				p.Put(b)
				b[0] = 1 // races
			},
			func() {
				if b, is := p.Get().(*[8]int); is {
					b[0] = 2 // races
				}
			},
		)
	}},
	{"memory of an earlier object", func(*testing.T) {
		n := new(int)
		both(
			func() {
				runtime.GC() // the shadow of what lives stays
				*n = 1       // races
			},
			func() {
				*n = 2 // races
				runtime.GC()
			},
		)
	}},
	{"three goroutines", func(*testing.T) {
		var mu sync.Mutex
		n := 0
		add := func() {
			mu.Lock()
			defer mu.Unlock()
			n++ // races
		}
		var wg sync.WaitGroup
		wg.Go(add)
		wg.Go(add)
		wg.Go(func() { runtime.KeepAlive(n) }) // races
		wg.Wait()
	}},
	{"reads before a write", func(*testing.T) {
		n := 0
		var wg sync.WaitGroup
		done := make(chan bool, 1)
		wg.Go(func() { runtime.KeepAlive(n) }) // races
		wg.Go(func() {
			runtime.KeepAlive(n)
			done <- true
		})
		wg.Go(func() {
			<-done
			n = 1 // races
		})
		wg.Wait()
	}},
}

// both runs functions at the same time.
func both(functions ...func()) {
	var wg sync.WaitGroup
	for _, f := range functions {
		wg.Go(f)
	}
	wg.Wait()
}

func counterRace(*testing.T) {
	n := 0
	both(
		func() { n++ }, // races
		func() { n++ }, // races
	)
}

func doubleChecked(*testing.T) {
	var mu sync.Mutex
	var value *int
	get := func() *int {
		if value == nil { // races
			mu.Lock()
			defer mu.Unlock()
			if value == nil {
				value = new(int) // races
			}
		}
		return value // races
	}
	both(func() { get() }, func() { get() })
}

var ordered = []raceCase{
	{"mutex", func(*testing.T) {
		var mu sync.Mutex
		n := 0
		add := func() {
			mu.Lock()
			n++
			mu.Unlock()
		}
		both(add, add)
		n++
	}},
	{"TryLock", func(*testing.T) {
		var mu sync.Mutex
		n := 0
		add := func() {
			if mu.TryLock() {
				n++
				mu.Unlock()
			}
		}
		both(add, add)
	}},
	{"RWMutex", func(*testing.T) {
		var mu sync.RWMutex
		n := 0
		read := func() {
			mu.RLock()
			runtime.KeepAlive(n)
			mu.RUnlock()
		}
		both(read, read, func() {
			mu.Lock()
			n++
			mu.Unlock()
		})
	}},
	{"channel", func(*testing.T) {
		c, n := make(chan int), 0
		both(
			func() {
				n += 1
				c <- 1
			},
			func() {
				<-c
				n += 2
			},
		)
	}},
	{"receive before send returns", func(*testing.T) {
		c, n := make(chan struct{}), 0
		both(
			func() {
				c <- struct{}{}
				n += 1
			},
			func() {
				n += 2
				<-c
			},
		)
	}},
	{"buffered channel", func(*testing.T) {
		c := make(chan *int, 2)
		both(
			func() {
				for i := range 3 {
					c <- &i
				}
				close(c)
			},
			func() {
				for p := range c {
					*p = 1
				}
			},
		)
	}},
	{"close", func(*testing.T) {
		c, n := make(chan bool), 0
		wait := func() {
			<-c
			runtime.KeepAlive(n)
		}
		both(wait, wait, func() {
			n += 1
			close(c)
		})
	}},
	{"buffered channel as semaphore", func(*testing.T) {
		c, n := make(chan struct{}, 1), 0
		add := func() {
			c <- struct{}{}
			n++
			<-c
		}
		both(add, add)
	}},
	{"select", func(*testing.T) {
		a, b, n := make(chan int), make(chan int, 1), 0
		both(
			func() {
				n += 1
				select {
				case a <- 1:
				case b <- 1:
				}
			},
			func() {
				select {
				case <-a:
				case <-b:
				}
				n += 2
			},
		)
	}},
	{"atomic flag", func(*testing.T) {
		var ready atomic.Bool
		n := 0
		both(
			func() {
				n += 1
				ready.Store(true)
			},
			func() {
				if ready.Load() {
					n += 2
				}
			},
		)
	}},
	{"atomic functions", func(*testing.T) {
		var ready uint32
		n := 0
		both(
			func() {
				n += 1
				atomic.AddUint32(&ready, 1)
			},
			func() {
				if atomic.LoadUint32(&ready) == 1 {
					n += 2
				}
			},
		)
	}},
	{"atomic counters", func(*testing.T) {
		var left atomic.Int32
		left.Store(2)
		parts := make([]int, 2)
		part := func(i int) func() {
			return func() {
				parts[i] = 1
				if left.Add(-1) == 0 {
					parts[0]++
					parts[1]++
				}
			}
		}
		both(part(0), part(1))
	}},
	{"spin lock", func(*testing.T) {
		var held atomic.Int32
		n := 0
		add := func() {
			for !held.CompareAndSwap(0, 1) {
				runtime.Gosched()
			}
			n++
			held.Store(0)
		}
		both(add, add)
	}},
	{"atomic pointer and value", func(*testing.T) {
		var p atomic.Pointer[[2]int]
		var v atomic.Value
		both(
			func() {
				p.Store(&[2]int{1, 2})
				v.Store([]int{1})
			},
			func() {
				if a := p.Load(); a != nil {
					a[1] = 3
				}
				if s, is := v.Load().([]int); is {
					s[0] = 2
				}
			},
		)
	}},
	{"Once", func(*testing.T) {
		var once sync.Once
		n := 0
		get := func() {
			once.Do(func() { n = 1 })
			runtime.KeepAlive(n)
		}
		both(get, get)
	}},
	{"OnceValue", func(*testing.T) {
		get := sync.OnceValue(func() *int { return new(int) })
		both(func() { runtime.KeepAlive(*get()) }, func() { runtime.KeepAlive(*get()) })
	}},
	{"Cond", func(*testing.T) {
		var mu sync.Mutex
		cond := sync.NewCond(&mu)
		ready := false
		both(
			func() {
				mu.Lock()
				for !ready {
					cond.Wait()
				}
				mu.Unlock()
			},
			func() {
				mu.Lock()
				ready = true
				mu.Unlock()
				cond.Broadcast()
			},
		)
	}},
	{"neighbours", func(*testing.T) {
		var s struct {
			a, b    byte
			c       int16
			d, e    int32
			f, g, h bool
		}
		var bytes [8]byte
		both(
			func() { s.a, s.c, s.d, s.f, bytes[0] = 1, 1, 1, true, 1; copy(bytes[4:6], "ab") },
			func() { s.b, s.e, s.g, bytes[1] = 1, 1, true, 1; copy(bytes[6:8], "cd") },
		)
	}},
	{"elements of a slice", func(*testing.T) {
		all := make([]int, 2)
		both(func() { all[0]++ }, func() { all[1]++ })
		all = append(all, all...)
		runtime.KeepAlive(all)
	}},
	{"reads only", func(*testing.T) {
		m := map[string]int{"a": 1}
		read := func() {
			for k := range m {
				runtime.KeepAlive(m[k])
			}
		}
		both(read, read)
	}},
	{"Pool", func(*testing.T) {
		p := sync.Pool{New: func() any { return new(bytes.Buffer) }}
		use := func() {
			b := p.Get().(*bytes.Buffer)
			b.Reset()
			b.WriteString("a")
			p.Put(b)
		}
		both(use, use)
	}},
	{"Map", func(*testing.T) {
		var m sync.Map
		both(
			func() { m.Store("a", &[1]int{1}) },
			func() {
				if v, is := m.Load("a"); is {
					v.(*[1]int)[0] = 2
				}
				m.LoadOrStore("b", 1)
			},
		)
	}},
	{"timers", func(*testing.T) {
		n, fired := 0, make(chan bool)
		time.AfterFunc(time.Millisecond, func() {
			n++
			close(fired)
		})
		<-fired
		n++
		timer := time.NewTimer(time.Hour)
		timer.Reset(time.Millisecond)
		n++
		<-timer.C
		n++
		<-time.After(time.Millisecond)
		tick := time.NewTicker(time.Millisecond)
		for range 2 {
			<-tick.C
		}
		tick.Stop()
	}},
	{"AfterFunc knows what its maker did", func(*testing.T) {
		var mu sync.Mutex
		all := 0
		fired := make(chan bool)
		make := func() {
			n := 1
			time.AfterFunc(time.Millisecond, func() {
				n++
				mu.Lock()
				defer mu.Unlock()
				if all++; all == 2 {
					close(fired)
				}
			})
		}
		both(make, make)
		<-fired
	}},
	{"context", func(*testing.T) {
		ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, 1)) // a time-out might come first
		defer cancel()
		n := 0
		stopped := make(chan bool)
		context.AfterFunc(ctx, func() {
			n++
			close(stopped)
		})
		both(
			func() {
				n += 1
				cancel()
			},
			func() {
				<-ctx.Done()
				runtime.KeepAlive(ctx.Err())
			},
		)
		<-stopped
		n++
	}},
	{"results of goroutines", func(*testing.T) {
		var wg sync.WaitGroup
		results := make([]string, 3)
		for i := range results {
			wg.Add(1)
			go func() {
				defer wg.Done()
				results[i] = fmt.Sprint(i)
			}()
		}
		wg.Wait()
		slices.Sort(results)
	}},
	{"growing stacks", func(*testing.T) {
		n := 0
		var deep func(p *int, left int)
		deep = func(p *int, left int) {
			var room [100]int
			if left > 0 {
				deep(&room[left%100], left-1)
			}
			*p++
		}
		both(
			func() { var m int; deep(&m, 30) },
			func() { var m int; deep(&m, 30) },
			func() { deep(&n, 20) },
		)
	}},
	{"memory that is used again", func(*testing.T) {
		use := func() {
			s := make([]byte, 1<<17)
			s[5] = 1
			runtime.KeepAlive(s)
			s = nil
			runtime.GC()
			s = make([]byte, 1<<17)
			s[5] = 1
			runtime.KeepAlive(s)
		}
		both(use, use)
	}},
	{"a history", func(*testing.T) {
		h := concurrent.Record(register)
		both(
			func() { h.Call(read{}, func() any { return 0 }) },
			func() { h.Call(read{}, func() any { return 0 }) },
		)
	}},
	{"the standard library", func(t *testing.T) {
		both(func() { useLibrary(t) }, func() { useLibrary(t) })
	}},
	{"a pipe", func(t *testing.T) {
		from, to := net.Pipe()
		both(
			func() {
				_, _ = from.Write([]byte("ab"))
				_ = from.Close()
			},
			func() {
				if b, err := io.ReadAll(to); err != nil || string(b) != "ab" {
					t.Errorf("%s, %v", b, err)
				}
			},
		)
	}},
}

// key is of a value in a context.
type key struct{}

// logger writes nothing.
var logger = log.New(io.Discard, "", 0)

// useLibrary uses packages that keep things for all goroutines.
func useLibrary(t *testing.T) {
	b, err := json.Marshal(map[string]any{"a": []int{1}, "b": struct{ C *int }{}})
	if err != nil {
		t.Error(err)
	}
	var back map[string]any
	if err := json.Unmarshal(b, &back); err != nil {
		t.Error(err)
	}
	logger.Printf("%v %d", back, rand.IntN(3))
	t.Logf("%s", filepath.Join("a", time.Now().String()))
	t.Helper()
}
