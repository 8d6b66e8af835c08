package simulate

import (
	"container/heap"

	"contend/model"
)

// An event is pending, with its instant drawn.
type event struct {
	kind       model.EventKind
	node, from model.NodeID // where it happens; the sender, for a message
	value      any          // message, key, call, result or release
	key        string       // of an alarm
	window     model.Window
	slot
	index int // in the queue
}

// A slot is a place in the order of events. Of those at one instant, operations that
// begin at boot are first; the order of others is drawn.
type slot struct {
	at     Time
	atBoot bool
	tie    uint64
	made   uint64 // the last resort, and what keeps a FIFO channel in order
}

func (s slot) before(o slot) bool {
	switch {
	case s.at != o.at:
		return s.at < o.at
	case s.atBoot != o.atBoot:
		return s.atBoot
	case s.tie != o.tie && !s.atBoot:
		return s.tie < o.tie
	}
	return s.made < o.made
}

// push puts an event whose instant is known into the queue.
func (r *simulation) push(e *event) {
	e.tie, e.made = r.chance.Uint64(), r.made
	r.made++
	r.events.put(e)
}

// later draws an event's instant.
func (r *simulation) later(e *event) {
	e.at = r.now + r.Law.draw(r.chance, e.window)
	r.push(e)
}

// queue is a heap of events.
type queue []*event

func (q *queue) pop() *event {
	if len(*q) == 0 {
		return nil
	}
	return heap.Pop(q).(*event)
}

func (q *queue) put(e *event) { heap.Push(q, e) }

func (q *queue) remove(e *event) { heap.Remove(q, e.index) }

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].before(q[j].slot) }
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push is heap.Interface's.
func (q *queue) Push(e any) {
	e.(*event).index = len(*q)
	*q = append(*q, e.(*event))
}

// Pop is heap.Interface's.
func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return e
}
