package concurrent_test

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"contend/model"
	"contend/program/concurrent"
)

// bug is a body with a mistake, and how it shows.
type bug struct {
	name        string
	outcome     concurrent.Outcome
	preemptions int // at least so many are needed
	body        func(t *testing.T)
}

// Each mistake is found with at most two preemptions, and with as few as it needs.
func TestPlanted(t *testing.T) {
	for _, b := range bugs {
		t.Run(b.name, func(t *testing.T) {
			before := cpu()
			r, err := concurrent.Options{}.Search(t, func() { b.body(t) })
			if err != nil {
				t.Fatal(err)
			}
			f := r.Failure
			if f == nil {
				t.Fatalf("nothing fails: %v", r)
			}
			all := 0
			for _, n := range r.Systematic {
				all += n
			}
			for _, d := range r.Drawn {
				all += d.Count
			}
			if all != r.Schedules {
				t.Errorf("%d schedules, but %v", r.Schedules, r)
			}
			t.Logf("%v with %d preemptions after %d schedules, %v of CPU\n%v", f.Outcome, f.Preemptions, f.After, (cpu() - before).Round(time.Millisecond), f)
			if f.Outcome != b.outcome || f.Preemptions != b.preemptions {
				t.Errorf("%v with %d preemptions, want %v with %d", f.Outcome, f.Preemptions, b.outcome, b.preemptions)
			}
		})
	}
}

var bugs = []bug{
	{"lost update", concurrent.Failed, 1, lostUpdate},
	{"check then act", concurrent.Failed, 1, checkThenAct},
	{"double close", concurrent.Panic, 1, doubleClose},
	{"lock order", concurrent.Deadlock, 1, lockOrder},
	{"missed signal", concurrent.Deadlock, 1, missedSignal},
	{"torn read", concurrent.Failed, 1, tornRead},
	{"ABA", concurrent.Failed, 1, aba},
	{"Add within the goroutine", concurrent.Failed, 0, addWithin},
	{"default taken", concurrent.Failed, 0, defaultTaken},
	{"hand-made once", concurrent.Failed, 1, handMadeOnce},
	{"Done before the work", concurrent.Failed, 1, doneBefore},
	{"send without a receiver", concurrent.Leak, 0, abandoned},
	{"recursive read lock", concurrent.Deadlock, 1, recursiveRead},
	{"function-style atomics", concurrent.Failed, 1, functionAtomics},
	{"stale cache", concurrent.NotLinearizable, 1, staleCache},
}

func lostUpdate(t *testing.T) {
	var mu sync.Mutex
	n := 0
	get := func() int { mu.Lock(); defer mu.Unlock(); return n }
	set := func(v int) { mu.Lock(); defer mu.Unlock(); n = v }
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { set(get() + 1) })
	}
	wg.Wait()
	if n != 2 {
		t.Errorf("n is %d", n)
	}
}

func checkThenAct(t *testing.T) {
	var mu sync.Mutex
	accounts := map[string]int{"a": 10}
	has := func(v int) bool { mu.Lock(); defer mu.Unlock(); return accounts["a"] >= v }
	withdraw := func(v int) { mu.Lock(); defer mu.Unlock(); accounts["a"] -= v }
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if has(7) {
				withdraw(7)
			}
		})
	}
	wg.Wait()
	if accounts["a"] < 0 {
		t.Errorf("the account is at %d", accounts["a"])
	}
}

// closer closes a channel once, or so it thinks.
type closer struct {
	closed atomic.Bool
	done   chan struct{}
}

func (c *closer) Close() {
	if !c.closed.Load() {
		c.closed.Store(true)
		close(c.done)
	}
}

func doubleClose(*testing.T) {
	c := &closer{done: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(c.Close)
	wg.Go(c.Close)
	wg.Wait()
}

func lockOrder(*testing.T) {
	var a, b sync.Mutex
	var wg sync.WaitGroup
	both := func(x, y *sync.Mutex) func() {
		return func() {
			x.Lock()
			defer x.Unlock()
			y.Lock()
			defer y.Unlock()
		}
	}
	wg.Go(both(&a, &b))
	wg.Go(both(&b, &a))
	wg.Wait()
}

func missedSignal(*testing.T) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var ready atomic.Bool
	var wg sync.WaitGroup
	wg.Go(func() {
		mu.Lock()
		defer mu.Unlock()
		for !ready.Load() {
			cond.Wait()
		}
	})
	wg.Go(func() {
		ready.Store(true) // without the lock
		cond.Signal()
	})
	wg.Wait()
}

// pair is two numbers that are equal, but they are read one by one.
type pair struct {
	mu   sync.RWMutex
	a, b int
}

func (p *pair) A() int { p.mu.RLock(); defer p.mu.RUnlock(); return p.a }
func (p *pair) B() int { p.mu.RLock(); defer p.mu.RUnlock(); return p.b }
func (p *pair) Set(v int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.a, p.b = v, v
}

func tornRead(t *testing.T) {
	p := &pair{}
	var wg sync.WaitGroup
	wg.Go(func() { p.Set(1) })
	wg.Go(func() {
		if a, b := p.A(), p.B(); a != b {
			t.Errorf("%d and %d", a, b)
		}
	})
	wg.Wait()
}

// stack is Treiber's, on nodes that are used again.
type stack struct {
	top  atomic.Int32
	next [4]atomic.Int32
}

func (s *stack) push(n int32) {
	for {
		top := s.top.Load()
		s.next[n].Store(top)
		if s.top.CompareAndSwap(top, n) {
			return
		}
	}
}

func (s *stack) pop() int32 {
	for {
		top := s.top.Load()
		if top == 0 {
			return 0
		}
		next := s.next[top].Load()
		if s.top.CompareAndSwap(top, next) {
			return top
		}
	}
}

func aba(t *testing.T) {
	s := &stack{}
	s.push(1)
	s.push(2)
	var wg sync.WaitGroup
	got := make([][]int32, 2)
	wg.Go(func() { got[0] = append(got[0], s.pop()) })
	wg.Go(func() {
		x, y := s.pop(), s.pop()
		if x != 0 {
			s.push(x)
		}
		got[1] = append(got[1], y)
	})
	wg.Wait()
	all := slices.Concat(got[0], got[1])
	for n := s.pop(); n != 0 && len(all) < 8; n = s.pop() {
		all = append(all, n)
	}
	all = slices.DeleteFunc(all, func(n int32) bool { return n == 0 })
	slices.Sort(all)
	if !slices.Equal(all, []int32{1, 2}) {
		t.Errorf("nodes %v", all)
	}
}

func addWithin(t *testing.T) {
	var wg sync.WaitGroup
	var n atomic.Int32
	begin := wg.Add // so that go vet does not see it
	for range 2 {
		go func() {
			begin(1)
			defer wg.Done()
			n.Add(1)
		}()
	}
	wg.Wait()
	if got := n.Load(); got != 2 {
		t.Errorf("%d goroutines are done", got)
	}
}

func defaultTaken(t *testing.T) {
	slot := make(chan int, 1)
	taken := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for v := range 2 {
			select {
			case slot <- v:
			default: // dropped
			}
		}
		close(slot)
	})
	wg.Go(func() {
		for range slot {
			taken++
		}
	})
	wg.Wait()
	if taken == 1 {
		t.Errorf("a value is lost")
	}
}

func handMadeOnce(t *testing.T) {
	var done atomic.Bool
	var value atomic.Int32
	get := func() int32 {
		if done.CompareAndSwap(false, true) {
			value.Store(42)
		}
		return value.Load()
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if v := get(); v != 42 {
				t.Errorf("the value is %d", v)
			}
		})
	}
	wg.Wait()
}

func doneBefore(t *testing.T) {
	var wg sync.WaitGroup
	var n atomic.Int32
	wg.Add(1)
	exited := make(chan struct{})
	go func() {
		wg.Done()
		n.Add(1)
		close(exited)
	}()
	wg.Wait()
	if n.Load() != 1 {
		t.Error("the work is not done")
	}
	<-exited
}

func abandoned(*testing.T) {
	result, timeout := make(chan int), make(chan int, 1)
	go func() { result <- 1 }()
	go func() { timeout <- 1 }()
	select {
	case <-result:
	case <-timeout:
	}
}

func recursiveRead(*testing.T) {
	p := &pair{}
	var wg sync.WaitGroup
	wg.Go(func() { p.Set(1) })
	wg.Go(func() {
		p.mu.RLock()
		defer p.mu.RUnlock()
		p.A()
	})
	wg.Wait()
}

func functionAtomics(t *testing.T) {
	var n int64
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { atomic.StoreInt64(&n, atomic.LoadInt64(&n)+1) })
	}
	wg.Wait()
	if n != 2 {
		t.Errorf("n is %d", n)
	}
}

// cache keeps a value that was read before, and forgets it too early.
type cache struct {
	store, kept atomic.Int32
	valid       atomic.Bool
}

func (c *cache) Read() int {
	if c.valid.Load() {
		return int(c.kept.Load())
	}
	v := c.store.Load()
	c.kept.Store(v)
	c.valid.Store(true)
	return int(v)
}

func (c *cache) Write(v int) {
	c.valid.Store(false)
	c.store.Store(int32(v))
}

// Operations on a register.
type (
	read  struct{}
	write struct{ Value int }
)

var register = model.Object{
	Name: "register",
	Init: 0,
	Step: func(state any, _ model.NodeID, op any) []model.Effect {
		if w, is := op.(write); is {
			return []model.Effect{{State: w.Value, Result: true}}
		}
		return []model.Effect{{State: state, Result: state}}
	},
}

func staleCache(*testing.T) {
	c, h := &cache{}, concurrent.Record(register)
	var wg sync.WaitGroup
	wg.Go(func() {
		h.Call(write{1}, func() any { c.Write(1); return true })
		h.Call(read{}, func() any { return c.Read() })
	})
	wg.Go(func() { h.Call(read{}, func() any { return c.Read() }) })
	wg.Wait()
}

// A correct body passes all schedules, and there is an end of them.
func TestCorrect(t *testing.T) {
	before := cpu()
	r, err := concurrent.Options{Preemptions: 2}.Search(t, func() {
		p := &pair{}
		both := func() (int, int) { p.mu.RLock(); defer p.mu.RUnlock(); return p.a, p.b }
		var wg sync.WaitGroup
		wg.Go(func() { p.Set(1) })
		wg.Go(func() { p.Set(2) })
		wg.Go(func() {
			runtime.Gosched()
			if a, b := both(); a != b {
				t.Errorf("%d and %d", a, b)
			}
		})
		wg.Wait()
	})
	if err != nil {
		t.Fatal(err)
	}
	spent := cpu() - before
	t.Logf("%v; %v of CPU, %.0f schedules a second; the module has %.1f MB", r, spent.Round(time.Millisecond), float64(r.Schedules)/spent.Seconds(), float64(r.Module)/1e6)
	if r.Failure != nil || r.Complete < 2 {
		t.Errorf("%v", r.Failure)
	}
}
