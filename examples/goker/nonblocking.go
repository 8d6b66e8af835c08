package goker

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// cockroach4407 calls Add of a WaitGroup concurrently with Wait
// (https://github.com/cockroachdb/cockroach/issues/4407). A stopper waits for its workers. A worker that
// starts at the same time may be counted too late. It then uses objects that are already closed.
func cockroach4407(t testing.TB, fixed bool) {
	var mu sync.Mutex
	var workers, all sync.WaitGroup
	stopping := false
	var stopped atomic.Bool
	run := func() {
		if fixed {
			mu.Lock()
			defer mu.Unlock()
			if stopping {
				return
			}
		}
		workers.Add(1)
		all.Go(func() {
			defer workers.Done()
			if stopped.Load() {
				t.Error("a worker of a stopper that has stopped")
			}
		})
	}
	all.Go(run)
	mu.Lock()
	stopping = true
	mu.Unlock()
	workers.Wait()
	stopped.Store(true)
	all.Wait()
}

// cockroach35501 shares a loop variable (https://github.com/cockroachdb/cockroach/issues/35501). Each check
// of a table runs in a goroutine with the address of the loop variable, and the loop continues to change the
// variable. Since Go 1.22 the bug needs a variable outside of the loop.
func cockroach35501(t testing.TB, fixed bool) {
	checks := []string{"a", "b", "c"}
	var mu sync.Mutex
	ran := map[string]bool{}
	var wg sync.WaitGroup
	var variable string
	for _, variable = range checks {
		check := &variable
		if fixed {
			own := variable
			check = &own
		}
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			ran[*check] = true
		})
	}
	wg.Wait()
	if len(ran) != len(checks) {
		t.Errorf("%d of %d checks ran", len(ran), len(checks))
	}
}

// etcd4876 reads under a lock and writes without it (https://github.com/etcd-io/etcd/issues/4876). A client that failed replaces its connection. Two calls that fail at once
// both see the old one, and close it twice.
func etcd4876(t testing.TB, fixed bool) {
	type connection struct{ shut atomic.Int32 }
	var mu sync.Mutex
	current := &connection{}
	replace := func(failed *connection) {
		mu.Lock()
		old := current
		if !fixed {
			mu.Unlock()
		}
		if old == failed {
			if old.shut.Add(1) > 1 {
				t.Error("a connection is closed twice")
			}
			current = &connection{}
		}
		if fixed {
			mu.Unlock()
		}
	}
	failed := current
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { replace(failed) })
	}
	wg.Wait()
}

// etcd9446 clears a buffer while it is read (https://github.com/etcd-io/etcd/issues/9446). A reader reads the
// buffer of the last writes under the buffer's lock, and the database under the database's lock. A
// defragmentation clears the buffer under the database's lock only.
func etcd9446(t testing.TB, fixed bool) {
	var buffered sync.RWMutex
	var database sync.Mutex
	buffer := []string{"a", "b"}
	read := func() {
		buffered.RLock()
		defer buffered.RUnlock()
		before := len(buffer)
		database.Lock()
		database.Unlock()
		if len(buffer) != before {
			t.Errorf("the buffer has %d entries, then %d", before, len(buffer))
		}
	}
	defragment := func() {
		if fixed {
			buffered.Lock()
			defer buffered.Unlock()
		}
		database.Lock()
		defer database.Unlock()
		buffer = nil
	}
	var wg sync.WaitGroup
	wg.Go(read)
	wg.Go(defragment)
	wg.Wait()
}

// moby18412 reads a buffer that is still written (https://github.com/moby/moby/issues/18412). A command that
// takes too long is killed, and its output is returned. Nobody waits for the goroutine that copies the
// output.
func moby18412(t testing.TB, fixed bool) {
	pipe, killed, copied := make(chan string), make(chan struct{}), make(chan struct{})
	var output strings.Builder
	go func() {
		defer close(copied)
		for line := range pipe {
			output.WriteString(line)
		}
	}()
	go func() { // the command
		defer close(pipe)
		for range 2 {
			time.Sleep(time.Millisecond)
			select {
			case pipe <- "line\n":
			case <-killed:
				return
			}
		}
	}()
	select {
	case <-copied:
	case <-time.After(time.Millisecond):
		close(killed)
		if fixed {
			<-copied
		}
	}
	returned := output.String()
	<-copied
	if now := output.String(); now != returned {
		t.Errorf("%q was returned, and %q is written", returned, now)
	}
}

// moby24007 closes a channel twice (https://github.com/moby/moby/issues/24007). Each of two callers looks whether the channel is closed, and closes it if not. It is no
// kernel of GoKer but an example of the study by Tu et al. (ASPLOS 2019).
func moby24007(_ testing.TB, fixed bool) {
	closed := make(chan struct{})
	var once sync.Once
	shut := func() {
		if fixed {
			once.Do(func() { close(closed) })
			return
		}
		select {
		case <-closed:
		default:
			close(closed)
		}
	}
	var wg sync.WaitGroup
	wg.Go(shut)
	wg.Go(shut)
	wg.Wait()
}

// grpc1687 sends on a channel that is closed (https://github.com/grpc/grpc-go/issues/1687). Writes of a stream go through a channel to the goroutine of its handler. To end the
// stream closes that channel too, though others may be about to write.
func grpc1687(_ testing.TB, fixed bool) {
	writes, shut := make(chan func()), make(chan struct{})
	write := func(f func()) {
		select {
		case <-shut:
			return
		default:
		}
		select {
		case writes <- f:
		case <-shut:
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case f, open := <-writes:
				if !open {
					return
				}
				f()
			case <-shut:
				return
			}
		}
	})
	wg.Go(func() { write(func() {}) })
	close(shut)
	if !fixed {
		close(writes)
	}
	wg.Wait()
}

// grpc3090 uses a field before it is set (https://github.com/grpc/grpc-go/issues/3090). A new resolver
// reports an error, and a goroutine then calls the resolver again. The call may happen before the resolver is
// stored.
func grpc3090(_ testing.TB, fixed bool) {
	type resolver struct{ asked int }
	var mu sync.Mutex
	var stored *resolver
	var wg sync.WaitGroup
	ask := func() {
		if fixed {
			mu.Lock()
			defer mu.Unlock()
		}
		stored.asked++
	}
	build := func() *resolver {
		wg.Go(ask)
		return &resolver{}
	}
	if fixed {
		mu.Lock()
	}
	stored = build()
	if fixed {
		mu.Unlock()
	}
	wg.Wait()
}

// serving4908 logs to a test that has ended (https://github.com/knative/serving/issues/4908). The goroutine
// of a probe logs its failure. The test cancels the probes and returns without waiting for them. After that
// its logger must not be used.
func serving4908(_ testing.TB, fixed bool) {
	var over atomic.Bool
	log := func(string) {
		if over.Load() {
			panic("log in goroutine after the test has completed")
		}
	}
	canceled, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		<-canceled
		log("the probe failed")
	}()
	close(canceled)
	if fixed {
		<-ended
	}
	over.Store(true)
	<-ended
}

// istio8967 sets a channel to nil (https://github.com/istio/istio/issues/8967). To stop a source closes its channel and forgets it. The goroutine that waits for that may read
// the field only then, and waits on nil for ever.
func istio8967(_ testing.TB, fixed bool) {
	type source struct {
		done   chan struct{}
		events chan int
	}
	s := &source{done: make(chan struct{}), events: make(chan int)}
	go func() {
		for {
			select {
			case <-s.events:
			case <-s.done:
				return
			}
		}
	}()
	close(s.done)
	if !fixed {
		s.done = nil
	}
}

// kubernetes70892 shares a variable between goroutines (https://github.com/kubernetes/kubernetes/issues/70892). Nodes are rated in parallel by a function that assigns its
// error to a variable of the function around it. One goroutine may overwrite it before another looks at it.
func kubernetes70892(t testing.TB, fixed bool) {
	rate := func(node int) (int, error) {
		if node == 0 {
			return 0, errors.New("no such node")
		}
		return node, nil
	}
	var mu sync.Mutex
	var scores [3]int
	var shared error
	failures := 0
	var wg sync.WaitGroup
	for node := range scores {
		wg.Go(func() {
			err := &shared
			if fixed {
				err = new(error)
			}
			if scores[node], *err = rate(node); *err != nil {
				mu.Lock()
				defer mu.Unlock()
				failures++
			}
		})
	}
	wg.Wait()
	if failures != 1 {
		t.Errorf("%d nodes could not be rated", failures)
	}
}

// istio8214 reads counters without synchronization (https://github.com/istio/istio/issues/8214). The counters
// of a cache are incremented by functions of sync/atomic, but its statistics copy them with plain reads. On
// most machines this has no visible effect.
func istio8214(t testing.TB, fixed bool) {
	var writes int64
	statistics := func() int64 {
		if fixed {
			return atomic.LoadInt64(&writes)
		}
		return writes
	}
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			atomic.AddInt64(&writes, 1)
			if n := statistics(); n < 1 || n > 2 {
				t.Errorf("%d writes", n)
			}
		})
	}
	wg.Wait()
}
