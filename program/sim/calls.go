//go:build wasip1 || contend_native

package sim

import "sync"

// A queue passes on items in order. It holds any number.
type queue[T any] struct {
	mu     sync.Mutex
	some   sync.Cond
	items  []T
	closed bool
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

// get waits for an item; ok is false once the queue is closed.
func (q *queue[T]) get() (item T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.closed {
		q.some.Wait()
	}
	if q.closed {
		return item, false
	}
	item, q.items = q.items[0], q.items[1:]
	return item, true
}

func (q *queue[T]) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.some.Broadcast()
}

var calls = newQueue[string]()

// Invoked waits for the next call of the application, and returns it. The application makes one call at a time: the next comes
// after [Return].
func Invoked() string {
	call, _ := calls.get()
	return call
}
