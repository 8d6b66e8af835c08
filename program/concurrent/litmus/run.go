package litmus

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Teller is called after each instruction, with the value that the goroutine saw.
type Teller func(g, at, sees int)

// A world is shared by the goroutines of a program.
type world struct {
	program   *Program
	tell      Teller
	locks     [Objects]sync.Mutex
	rwLocks   [Objects]sync.RWMutex
	channels  [Objects]chan int
	groups    [Objects]sync.WaitGroup
	cond      *sync.Cond
	atomics   [Objects]atomic.Int32
	onces     [Objects]sync.Once
	variables [Objects]int
	ctx       context.Context
	cancel    context.CancelFunc // is not called: the context ends by its timer only
	done      <-chan struct{}    // of the context
}

// Run runs a program as Go does, and returns when the body does.
func (p *Program) Run(tell Teller) {
	w := &world{program: p, tell: tell}
	for i := range Objects {
		w.channels[i] = make(chan int, p.Rooms[i])
		if p.Counts[i] > 0 {
			w.groups[i].Add(p.Counts[i])
		}
	}
	w.cond = sync.NewCond(&w.locks[0])
	w.cond.Signal() // its first call would order goroutines
	if p.Timeout > 0 {
		w.ctx, w.cancel = context.WithTimeout(context.Background(), time.Duration(p.Timeout))
		w.done = w.ctx.Done() // this call, too
	}
	w.goroutine(0)
}

func (w *world) goroutine(g int) {
	is := &thread{world: w, g: g}
	body := w.program.Bodies[g]
	for at := 0; at < len(body); at++ {
		sees := is.does(body[at], at)
		w.tell(g, at, sees)
		if sees == Panicked {
			at = max(at, len(body)-2)
		}
	}
}

// A thread is a goroutine, with what it holds.
type thread struct {
	*world
	g                        int
	locked, written, readers [Objects]bool
}

// does executes an instruction. It returns the value that the goroutine sees: Panicked if it panics.
func (t *thread) does(in Instruction, at int) (sees int) {
	defer func() {
		if recover() != nil {
			sees = Panicked
		}
	}()
	switch in.Op {
	case Go:
		go t.goroutine(in.On)
	case Lock, TryLock, Unlock, AwaitLock:
		return t.lock(in)
	case WLock, TryWLock, WUnlock, RLock, TryRLock, RUnlock:
		return t.rwLock(in)
	case Send, Receive, Close:
		return t.channel(in, at)
	case Select:
		return t.selects(in.Cases, at)
	case CondWait:
		if t.locked[0] {
			t.cond.Wait()
		}
	case Signal:
		t.cond.Signal()
	case Broadcast:
		t.cond.Broadcast()
	case Add:
		t.groups[in.On].Add(in.Value)
	case Done:
		t.groups[in.On].Done()
	case Wait:
		t.groups[in.On].Wait()
	case Yield:
		runtime.Gosched()
	case Sleep:
		time.Sleep(time.Duration(in.Value))
	case Expired:
		return yes(t.ctx.Err() != nil)
	default:
		return t.variable(in)
	}
	return Nothing
}

func yes(is bool) int {
	if is {
		return Yes
	}
	return No
}

func (t *thread) lock(in Instruction) int {
	l, held := &t.locks[in.On], &t.locked[in.On]
	switch in.Op {
	case Lock:
		l.Lock()
		*held = true
	case TryLock:
		is := l.TryLock()
		*held = *held || is
		return yes(is)
	case AwaitLock:
		for !l.TryLock() {
		}
		*held = true
	case Unlock:
		if *held {
			*held = false
			l.Unlock()
		}
	}
	return Nothing
}

func (t *thread) rwLock(in Instruction) int {
	l, written, reads := &t.rwLocks[in.On], &t.written[in.On], &t.readers[in.On]
	switch in.Op {
	case WLock:
		l.Lock()
		*written = true
	case TryWLock:
		is := l.TryLock()
		*written = *written || is
		return yes(is)
	case WUnlock:
		if *written {
			*written = false
			l.Unlock()
		}
	case RLock:
		l.RLock()
		*reads = true
	case TryRLock:
		is := l.TryRLock()
		*reads = *reads || is
		return yes(is)
	case RUnlock:
		if *reads {
			*reads = false
			l.RUnlock()
		}
	}
	return Nothing
}

func (t *thread) channel(in Instruction, at int) int {
	c := t.channels[in.On]
	switch in.Op {
	case Send:
		c <- message(t.g, at)
	case Close:
		close(c)
	case Receive:
		v, ok := <-c
		return received(v, ok)
	}
	return Nothing
}

func received(v int, ok bool) int {
	if !ok {
		return Closed
	}
	return v
}

// selects executes a select statement. The channels of missing cases are nil.
func (t *thread) selects(c Cases, at int) int {
	var receives, sends [Objects]chan int
	for i, channel := range t.channels {
		if c.Receives[i] {
			receives[i] = channel
		}
		if c.Sends[i] {
			sends[i] = channel
		}
	}
	var after <-chan time.Time
	if c.After > 0 {
		after = time.After(time.Duration(c.After))
	}
	var done <-chan struct{}
	if c.Context {
		done = t.done
	}
	v := message(t.g, at)
	if c.Default {
		select {
		case v, ok := <-receives[0]:
			return received(v, ok)
		case v, ok := <-receives[1]:
			return received(v, ok)
		case sends[0] <- v:
			return Sent
		case sends[1] <- v:
			return Sent + 1
		case <-after:
			return Timed
		case <-done:
			return Ended
		default:
			return Defaulted
		}
	}
	select {
	case v, ok := <-receives[0]:
		return received(v, ok)
	case v, ok := <-receives[1]:
		return received(v, ok)
	case sends[0] <- v:
		return Sent
	case sends[1] <- v:
		return Sent + 1
	case <-after:
		return Timed
	case <-done:
		return Ended
	}
}

// variable executes an instruction on an atomic integer or a variable.
func (t *thread) variable(in Instruction) int {
	x, v := &t.atomics[in.On], &t.variables[in.On]
	switch in.Op {
	case Load:
		return Number + int(x.Load())
	case Store:
		x.Store(int32(in.Value))
	case AddAtomic:
		return Number + int(x.Add(1))
	case Swap:
		return yes(x.CompareAndSwap(0, int32(in.Value)))
	case Await:
		for x.Load() == 0 {
		}
	case Do:
		t.onces[in.On].Do(func() {
			t.atomics[0].Add(1)
			if in.Value > 0 {
				t.variables[in.Value-1]++
			}
		})
	case Read:
		return Number + *v
	case Write:
		*v = 1
	}
	return Nothing
}
