package goker

import (
	"errors"
	"sync"
	"testing"
	"time"
)

// etcd7492 sends under a lock (https://github.com/etcd-io/etcd/issues/7492). A new token is sent to the goroutine that forgets old ones, under
// the lock of all tokens. That goroutine takes the lock when its timer fires, and does not receive then.
func etcd7492(_ testing.TB, fixed bool) {
	var mu sync.Mutex
	tokens := map[string]bool{}
	added, stop, ended := make(chan string), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(time.Millisecond)
		defer ticker.Stop()
		old := ""
		for {
			select {
			case old = <-added:
			case <-ticker.C:
				mu.Lock()
				delete(tokens, old)
				mu.Unlock()
			case <-stop:
				return
			}
		}
	}()
	assign := func(token string) {
		mu.Lock()
		tokens[token] = true
		if fixed {
			mu.Unlock()
			added <- token
			return
		}
		added <- token
		mu.Unlock()
	}
	assign("a")
	time.Sleep(time.Millisecond)
	assign("b")
	close(stop)
	<-ended
}

// etcd6873 waits for a goroutine under a lock (https://github.com/etcd-io/etcd/issues/6873). Stopping all
// broadcasts of watches acquires their lock, and waits for the goroutine that merges them. This goroutine
// acquires the same lock for each update that it receives.
func etcd6873(_ testing.TB, fixed bool) {
	var mu sync.Mutex
	updates, ended := make(chan int), make(chan struct{})
	merged := 0
	go func() {
		defer close(ended)
		for range updates {
			mu.Lock()
			merged++
			mu.Unlock()
		}
	}()
	updates <- 1
	mu.Lock()
	close(updates)
	if fixed {
		mu.Unlock()
		<-ended
		return
	}
	<-ended
	mu.Unlock()
}

// kubernetes10182 sends under a lock (https://github.com/kubernetes/kubernetes/issues/10182). The status of a pod is set and sent under a lock. The
// goroutine that receives it takes that lock before it receives the next one.
func kubernetes10182(_ testing.TB, fixed bool) {
	var mu sync.Mutex
	statuses, changes := map[string]bool{}, make(chan string)
	set := func(pod string) {
		mu.Lock()
		statuses[pod] = true
		if fixed {
			mu.Unlock()
			changes <- pod
			return
		}
		changes <- pod
		mu.Unlock()
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		set("a")
		set("b")
	})
	wg.Go(func() {
		for range 2 {
			pod := <-changes
			mu.Lock()
			delete(statuses, pod)
			mu.Unlock()
		}
	})
	wg.Wait()
}

// kubernetes6632 sends under a lock to a goroutine with a timer
// (https://github.com/kubernetes/kubernetes/issues/6632). Each frame is written under a lock, and notifies a
// monitor that the connection is not idle. If the monitor's timer fires first, the monitor acquires the same
// lock to close the connection.
func kubernetes6632(_ testing.TB, fixed bool) {
	var mu sync.Mutex
	shut := false
	busy, idle, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		timer := time.NewTimer(time.Millisecond)
		for {
			select {
			case <-busy:
				timer.Reset(time.Millisecond)
			case <-timer.C:
				if fixed {
					close(idle)
				}
				mu.Lock()
				shut = true
				mu.Unlock()
				return
			}
		}
	}()
	write := func() {
		mu.Lock()
		defer mu.Unlock()
		if shut {
			return
		}
		select {
		case busy <- struct{}{}:
		case <-idle:
		}
	}
	time.Sleep(time.Millisecond)
	write()
	<-ended
}

// kubernetes1321 sends under a lock to a watcher that stops
// (https://github.com/kubernetes/kubernetes/issues/1321). Events are sent to all watchers under a lock. A
// watcher that stops acquires the same lock, and does not receive any more.
func kubernetes1321(_ testing.TB, fixed bool) {
	var mu sync.Mutex
	events, stopped := make(chan string), make(chan struct{})
	watching := true
	distribute := func() {
		mu.Lock()
		defer mu.Unlock()
		if !watching {
			return
		}
		select {
		case events <- "e":
		case <-stopped:
		}
	}
	stop := func() {
		if fixed {
			close(stopped)
		}
		mu.Lock()
		defer mu.Unlock()
		watching = false
	}
	var wg sync.WaitGroup
	wg.Go(distribute)
	wg.Go(stop)
	wg.Wait()
}

// moby28462 sends under a lock to a goroutine with a timer (https://github.com/moby/moby/issues/28462). A
// send under the container's lock stops the monitor of the container's health. The monitor acquires this lock
// to store the result of a probe.
func moby28462(_ testing.TB, fixed bool) {
	var container sync.Mutex
	healthy := 0
	stop, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				container.Lock()
				healthy++
				container.Unlock()
			}
		}
	}()
	time.Sleep(time.Millisecond)
	container.Lock()
	if fixed {
		close(stop)
	} else {
		stop <- struct{}{}
	}
	container.Unlock()
	<-ended
}

// moby30408 does not signal an error (https://github.com/moby/moby/issues/30408). A user of a plugin waits
// until the plugin is active or has failed. The error is set, but the waiting users are woken up only if
// there is no error.
func moby30408(t testing.TB, fixed bool) {
	var mu sync.Mutex
	changed := sync.NewCond(&mu)
	active, broken := false, error(nil)
	activate := func(err error) {
		mu.Lock()
		defer mu.Unlock()
		if broken = err; err == nil {
			active = true
		}
		if fixed || err == nil {
			changed.Broadcast()
		}
	}
	wait := func() error {
		mu.Lock()
		defer mu.Unlock()
		for !active && broken == nil {
			changed.Wait()
		}
		return broken
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if wait() == nil {
			t.Error("a plugin is used that is not active")
		}
	})
	wg.Go(func() { activate(errors.New("no socket")) })
	wg.Wait()
}

// moby25384 waits inside the loop that starts the awaited goroutines
// (https://github.com/moby/moby/issues/25384). A WaitGroup counts all plugins before the first plugin is
// restored. Hence the first Wait does not return if there are several plugins.
func moby25384(_ testing.TB, fixed bool) {
	plugins := []string{"a", "b"}
	var wg sync.WaitGroup
	wg.Add(len(plugins))
	for range plugins {
		go func() { defer wg.Done() }()
		if !fixed {
			wg.Wait()
		}
	}
	wg.Wait()
}

// cockroach1462 sends to a worker that has stopped (https://github.com/cockroachdb/cockroach/issues/1462). A
// channel tells all workers to stop, and a WaitGroup waits for them. A worker that sends an event to another
// worker does not check this channel.
func cockroach1462(_ testing.TB, fixed bool) {
	events, stop := make(chan int), make(chan struct{})
	var workers sync.WaitGroup
	workers.Go(func() {
		for i := range 2 {
			if !fixed {
				events <- i
				continue
			}
			select {
			case events <- i:
			case <-stop:
				return
			}
		}
	})
	workers.Go(func() {
		for {
			select {
			case <-events:
			case <-stop:
				return
			}
		}
	})
	close(stop)
	workers.Wait()
}
