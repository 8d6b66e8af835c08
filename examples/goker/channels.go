package goker

import (
	"context"
	"sync"
	"testing"
	"time"
)

// cockroach24808 sends twice before anybody receives (https://github.com/cockroachdb/cockroach/issues/24808).
// A channel with room for one value notifies the compactor of work. The compactor also sends to this channel
// when it starts, but the channel may already be full.
func cockroach24808(_ testing.TB, fixed bool) {
	work := make(chan struct{}, 1)
	suggest := func() {
		select {
		case work <- struct{}{}:
		default: // the notification is already pending
		}
	}
	start := func() {
		if fixed {
			suggest()
		} else {
			work <- struct{}{}
		}
		go func() { <-work }()
	}
	suggest()
	start()
}

// etcd6857 sends to a goroutine that has ended (https://github.com/etcd-io/etcd/issues/6857). The caller
// requests the status of a Raft node by a channel. Nobody receives from this channel after the node has
// stopped, and the caller does not check whether the node has stopped.
func etcd6857(_ testing.TB, fixed bool) {
	asked, stop, stopped := make(chan chan int), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case answer := <-asked:
				answer <- 1
			case <-stop:
				return
			}
		}
	}()
	status := func() int {
		answer, gone := make(chan int), stopped
		if !fixed {
			gone = nil
		}
		select {
		case asked <- answer:
			return <-answer
		case <-gone:
			return 0
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() { status() })
	wg.Go(func() {
		stop <- struct{}{}
		<-stopped
	})
	wg.Wait()
}

// grpc1424 does not close a channel (https://github.com/grpc/grpc-go/issues/1424). A caller that dials waits
// until a balancer has named an address. If the balancer is closed before that, the goroutine that watches
// the balancer ends without a notification.
func grpc1424(_ testing.TB, fixed bool) {
	addresses, dialed, shut := make(chan string), make(chan struct{}), make(chan struct{})
	go func() { // watches the balancer
		told := false
		for range addresses {
			if !told {
				told = true
				close(dialed)
			}
		}
		if fixed && !told {
			close(dialed)
		}
	}()
	var wg sync.WaitGroup
	wg.Go(func() { // the balancer
		defer close(addresses)
		select {
		case <-shut:
		default:
			addresses <- "a"
		}
	})
	wg.Go(func() { close(shut) })
	<-dialed
	wg.Wait()
}

// syncthing5795 waits for its own end (https://github.com/syncthing/syncthing/issues/5795). Closing a
// connection waits until the loop that handles its messages has ended. If a message cannot be handled, this
// loop itself closes the connection.
func syncthing5795(_ testing.TB, fixed bool) {
	inbox, shut, ended := make(chan string), make(chan struct{}), make(chan struct{})
	var once sync.Once
	end := func() {
		once.Do(func() {
			close(shut)
			<-ended
		})
	}
	go func() {
		defer close(ended)
		for {
			select {
			case m := <-inbox:
				switch {
				case m != "bad":
				case fixed:
					go end()
				default:
					end()
				}
			case <-shut:
				return
			}
		}
	}()
	inbox <- "bad"
	<-ended
}

// kubernetes5316 leaves a sender blocked (https://github.com/kubernetes/kubernetes/issues/5316). A goroutine
// handles a request and sends its result. If the time-out comes first nobody receives the result.
func kubernetes5316(_ testing.TB, fixed bool) {
	room := 0
	if fixed {
		room = 1
	}
	result := make(chan int, room)
	go func() {
		time.Sleep(time.Millisecond) // the work
		result <- 1
	}()
	select {
	case <-result:
	case <-time.After(time.Millisecond):
	}
}

// cockroach18101 leaves a sender blocked (https://github.com/cockroachdb/cockroach/issues/18101). A restore
// splits ranges in one goroutine and imports them in another. After an import fails nobody receives any more,
// and the splitting goroutine does not check the context.
func cockroach18101(_ testing.TB, fixed bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ready := make(chan int)
	go func() {
		defer close(ready)
		for i := range 3 {
			if !fixed {
				ready <- i
				continue
			}
			select {
			case ready <- i:
			case <-ctx.Done():
				return
			}
		}
	}()
	for i := range ready {
		if i == 1 {
			return // the import of this range fails
		}
	}
}

// cockroach13197 never cancels a context (https://github.com/cockroachdb/cockroach/issues/13197). Each transaction has a goroutine that waits for the end of
// its context, to roll it back. When it is committed the context does not end.
func cockroach13197(_ testing.TB, fixed bool) {
	type transaction struct {
		done context.CancelFunc
	}
	ctx, cancel := context.WithCancel(context.Background())
	tx := transaction{done: cancel}
	var mu sync.Mutex
	committed := false
	go func() {
		<-ctx.Done()
		mu.Lock()
		defer mu.Unlock()
		if !committed {
			return // it is rolled back
		}
	}()
	mu.Lock()
	committed = true
	mu.Unlock()
	if fixed {
		tx.done()
	}
}

// kubernetes70277 never stops a poller (https://github.com/kubernetes/kubernetes/issues/70277). A function
// waits until a condition holds. A goroutine with a ticker tells it when to check the condition. The function
// returns when the condition holds, but the goroutine continues.
func kubernetes70277(_ testing.TB, fixed bool) {
	poller := func(done <-chan struct{}) <-chan struct{} {
		look := make(chan struct{})
		go func() {
			ticker := time.NewTicker(time.Millisecond)
			defer ticker.Stop()
			for {
				select {
				case <-ticker.C:
					select {
					case look <- struct{}{}:
					default: // nobody looks now
					}
				case <-done:
					return
				}
			}
		}()
		return look
	}
	waitFor := func(condition func() bool) {
		done := make(chan struct{})
		if fixed {
			defer close(done)
		}
		for look := poller(done); ; {
			if <-look; condition() {
				return
			}
		}
	}
	waitFor(func() bool { return true })
}
