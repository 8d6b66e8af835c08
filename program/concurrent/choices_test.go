package concurrent_test

import (
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/program/concurrent"
)

// order notes in which order goroutines come.
type order struct {
	mu sync.Mutex
	is strings.Builder
}

func (o *order) add(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.is.WriteString(s)
}

// inOrder runs two goroutines, and returns in which order they came.
func inOrder(first, second func(o *order)) string {
	var o order
	var wg sync.WaitGroup
	wg.Go(func() { first(&o) })
	wg.Go(func() { second(&o) })
	wg.Wait()
	return o.is.String()
}

// choice is what a Go program may do in several ways.
type choice struct {
	name string
	body func() string
	can  []string // what the body comes to
	// never is what Go allows and no schedule has, which the package comment says.
	never []string
	racy  bool // so that races are not looked for
}

// What is in a Pool.
var put, fresh = "put", "new"

var choices = []choice{
	{"select", func() string {
		a, b := make(chan int, 1), make(chan int, 1)
		a <- 1
		b <- 1
		select {
		case <-a:
			return "a"
		case <-b:
			return "b"
		}
	}, []string{"a", "b"}, nil, false},
	{"select of done and data", func() string {
		done, data := make(chan bool), make(chan int, 1)
		data <- 1
		close(done)
		select {
		case <-done:
			return "done"
		case <-data:
			return "data"
		}
	}, []string{"done", "data"}, nil, false},
	{"order of a map", func() string {
		for k := range map[string]bool{"a": true, "b": true} {
			return k
		}
		return ""
	}, []string{"a", "b"}, nil, false},
	{"order of a sync.Map", func() string {
		var m sync.Map
		m.Store("a", 1)
		m.Store("b", 1)
		var is string
		m.Range(func(k, _ any) bool { is += k.(string); return true })
		return is
	}, []string{"ab", "ba"}, nil, false},
	{"random number", func() string { return []string{"0", "1"}[rand.IntN(2)] }, []string{"0", "1"}, nil, false},
	{"Pool", func() string {
		p := sync.Pool{New: func() any { return &fresh }}
		p.Put(&put)
		return *p.Get().(*string)
	}, []string{"put", "new"}, nil, false},
	{"Pool without New", func() string {
		var p sync.Pool
		p.Put(&put)
		if p.Get() == nil {
			return "nil"
		}
		return "put"
	}, []string{"put", "nil"}, nil, false},
	{"goroutines that begin", func() string {
		return inOrder(func(o *order) { o.add("1") }, func(o *order) { o.add("2") })
	}, []string{"12", "21"}, nil, false},
	{"waiting for a Mutex", func() string {
		var mu sync.Mutex
		take := func(name string) func(o *order) {
			return func(o *order) {
				mu.Lock()
				defer mu.Unlock()
				o.add(name)
			}
		}
		mu.Lock()
		time.AfterFunc(1, mu.Unlock)
		return inOrder(take("1"), take("2"))
	}, []string{"12", "21"}, nil, false},
	{"who comes to a Mutex anew", func() string {
		var mu sync.Mutex
		return inOrder(func(o *order) {
			for range 2 {
				mu.Lock()
				o.add("1")
				mu.Unlock()
			}
		}, func(o *order) {
			mu.Lock()
			o.add("2")
			mu.Unlock()
		})
	}, []string{"112", "121", "211"}, nil, false},
	{"TryLock of a Mutex that nobody holds", func() string {
		var mu sync.Mutex
		if mu.TryLock() {
			return "locked"
		}
		return "failed"
	}, []string{"locked"}, []string{"failed"}, false},
	{"RWMutex", func() string {
		var mu sync.RWMutex
		mu.RLock()
		time.AfterFunc(1, mu.RUnlock)
		return inOrder(func(o *order) {
			mu.Lock()
			o.add("w")
			mu.Unlock()
		}, func(o *order) {
			mu.RLock()
			o.add("r")
			mu.RUnlock()
		})
	}, []string{"wr", "rw"}, nil, false},
	{"waiting for a channel", func() string {
		c, got := make(chan int), make(chan string, 2)
		for _, name := range []string{"1", "2"} {
			go func() {
				if _, ok := <-c; ok {
					got <- name
				}
			}()
		}
		c <- 1
		is := <-got
		close(c)
		return is
	}, []string{"1", "2"}, nil, false},
	{"waiting for a place in a channel", func() string {
		c := make(chan bool, 1)
		take := func(name string) func(o *order) {
			return func(o *order) { c <- true; o.add(name); <-c }
		}
		return inOrder(take("1"), take("2"))
	}, []string{"12", "21"}, nil, false},
	{"waiting for a WaitGroup", func() string {
		var group sync.WaitGroup
		group.Add(1)
		time.AfterFunc(1, group.Done)
		return inOrder(func(o *order) { group.Wait(); o.add("1") }, func(o *order) { group.Wait(); o.add("2") })
	}, []string{"12", "21"}, nil, false},
	{"Broadcast", func() string { return signalled((*sync.Cond).Broadcast) }, []string{"12", "21"}, nil, false},
	{"Signal", func() string {
		return signalled(func(c *sync.Cond) { c.Signal(); c.L.Unlock(); c.L.Lock(); c.Signal() })
	}, []string{"12", "21"}, nil, false},
	{"Signal wakes who waits longest", func() string { return signalled((*sync.Cond).Signal) }, []string{"12"}, []string{"21"}, false},
	{"sleeps until the same instant", func() string {
		return inOrder(func(o *order) { time.Sleep(time.Minute); o.add("1") }, func(o *order) { time.Sleep(time.Minute); o.add("2") })
	}, []string{"12", "21"}, nil, false},
	{"channels of timers due at the same instant", func() string {
		a, b := time.After(5), time.After(5)
		<-a
		select {
		case <-b:
			return "both"
		default:
			return "the first"
		}
	}, []string{"both"}, []string{"the first"}, false},
	{"a timer fires as a preempted goroutine goes on", func() string {
		began, n := time.Now(), atomic.Int32{}
		time.NewTimer(time.Hour)
		clock := func() string {
			if time.Since(began) > 0 {
				return "late"
			}
			return "soon"
		}
		var is string
		go func() { is = []string{"0", "1"}[n.Load()] + clock() }()
		n.Add(1)
		n.Load()
		mine := clock()
		for is == "" {
			runtime.Gosched()
		}
		return is + " " + mine
	}, []string{"0soon soon", "0soon late", "1soon soon", "1soon late", "1late soon", "1late late", "0late late"}, nil, true},
	{"a timer beside what can run", func() string {
		c := make(chan bool)
		go close(c)
		select {
		case <-c:
			return "done"
		case <-time.After(time.Hour):
			return "timed out"
		}
	}, []string{"done", "timed out"}, nil, false},
}

// signalled has two goroutines wait, 1 first, wakes some, and the others once the first of these went on. It returns in which order they go on.
func signalled(wake func(*sync.Cond)) string {
	var mu sync.Mutex
	cond, waits, woken := sync.NewCond(&mu), make(chan bool), make(chan string, 2)
	began := 0
	for _, name := range []string{"1", "2"} {
		go func() {
			mu.Lock()
			defer mu.Unlock()
			waits <- true
			cond.Wait()
			woken <- name
		}()
		<-waits
		mu.Lock() // once the other one waits
		began++
		mu.Unlock()
	}
	mu.Lock()
	wake(cond)
	mu.Unlock()
	is := <-woken
	cond.Broadcast()
	return is + <-woken
}

// Each thing that a program may come to is seen, or the report does not speak of every schedule. Nothing else is seen.
func TestChoices(t *testing.T) {
	for _, c := range choices {
		for _, want := range append(c.can, c.never...) {
			t.Run(c.name+"/"+want, func(t *testing.T) {
				never := len(c.never) > 0 && want == c.never[0]
				r, err := concurrent.Options{Schedules: 300, NoRaces: c.racy}.Search(t, func() {
					if c.body() == want {
						t.Error("seen")
					}
				})
				if err != nil || r.Failure != nil && r.Failure.Outcome != concurrent.Failed {
					t.Fatalf("%v, %v", err, r.Failure)
				}
				if seen := r.Failure != nil; seen == never {
					t.Errorf("seen: %v; %v", seen, r)
				}
			})
		}
		t.Run(c.name+"/nothing else", func(t *testing.T) {
			r, err := concurrent.Options{Schedules: 60, NoRaces: c.racy}.Search(t, func() {
				if is := c.body(); !strings.Contains(" "+strings.Join(c.can, " | ")+" ", " "+is+" ") {
					t.Error(is)
				}
			})
			if err != nil || r.Failure != nil {
				t.Errorf("%v, %v: %v", r, err, r.Failure)
			}
		})
	}
}
