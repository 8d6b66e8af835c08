//go:build wasip1 || contend_native

package sim

import (
	"net"
	"os"
	"sync"
	"time"
)

// A queue passes on items in order. It holds any number.
type queue[T any] struct {
	mu     sync.Mutex
	some   sync.Cond
	items  []T
	closed bool
	read   deadline
}

func newQueue[T any]() *queue[T] {
	q := &queue[T]{}
	q.some.L = &q.mu
	return q
}

func (q *queue[T]) put(item T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.items = append(q.items, item)
		q.some.Signal()
	}
}

// get waits for an item. The error is net.ErrClosed once the queue is closed, and os.ErrDeadlineExceeded after its deadline.
func (q *queue[T]) get() (item T, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for {
		switch {
		case q.closed:
			return item, net.ErrClosed
		case q.read.over():
			return item, os.ErrDeadlineExceeded
		case len(q.items) > 0:
			item, q.items = q.items[0], q.items[1:]
			return item, nil
		}
		q.some.Wait()
	}
}

func (q *queue[T]) deadline(t time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.read.set(t, &q.mu, &q.some)
}

func (q *queue[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.read.stop()
	q.some.Broadcast()
}

var calls = newQueue[string]()

// Invoked waits for the next call of the application, and returns it. The application makes one call at a time: the next comes
// after [Return].
func Invoked() string {
	call, _ := calls.get()
	return call
}
