package simulate

import (
	"container/heap"

	"contend/model"
)

// An event is a pending event with its instant.
type event struct {
	kind       model.EventKind
	node, from model.NodeID // node of the event, and sender of a message
	value      any          // message, key, call, result or release
	key        string       // of an alarm or a Set message
	window     model.Window
	slot
	index int // in the queue
}

// A slot is a position in the order of events. Among events of one instant, operations at boot come first.
// The order of the others is drawn.
type slot struct {
	instant Time
	atBoot  bool
	tie     uint64
	created uint64 // number of earlier events; orders equal ties, and FIFO channels
}

func (s slot) before(o slot) bool {
	switch {
	case s.instant != o.instant:
		return s.instant < o.instant
	case s.atBoot != o.atBoot:
		return s.atBoot
	case s.tie != o.tie && !s.atBoot:
		return s.tie < o.tie
	}
	return s.created < o.created
}

// push adds an event whose instant is set.
func (r *simulation) push(e *event) {
	e.tie, e.created = r.chance.Uint64(), r.created
	r.created++
	r.events.add(e)
}

// later draws an event's instant and adds the event.
func (r *simulation) later(e *event) {
	e.instant = r.now + r.Law.draw(r.chance, e.window)
	r.push(e)
}

// A queue is a heap of events.
type queue []*event

func (q *queue) pop() *event {
	if len(*q) == 0 {
		return nil
	}
	return heap.Pop(q).(*event)
}

func (q *queue) add(e *event) { heap.Push(q, e) }

func (q *queue) remove(e *event) { heap.Remove(q, e.index) }

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].before(q[j].slot) }
func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

// Push implements [heap.Interface].
func (q *queue) Push(e any) {
	e.(*event).index = len(*q)
	*q = append(*q, e.(*event))
}

// Pop implements [heap.Interface].
func (q *queue) Pop() any {
	last := len(*q) - 1
	e := (*q)[last]
	(*q)[last] = nil
	*q = (*q)[:last]
	return e
}
