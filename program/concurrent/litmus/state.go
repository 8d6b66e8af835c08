package litmus

// state is where a program is. It is a value that can be compared, so that no state is visited twice.
type state struct {
	of       [MostGoroutines + 1]goroutine // the last ends the context
	running  int8                          // the goroutine that runs; -1: none
	returned bool                          // the body has
	locks    [Objects]mutex
	rwLocks  [Objects]rwMutex
	channels [Objects]channel
	groups   [Objects]group
	cond     cond
	atomics  [Objects]uint8
	onces    [Objects]once
	released [Objects]set // by operations on atomic integers
	values   [Objects]uint8
	ended    bool // the context has
	now      uint8
	timers   [mostTimers]timer // by when they fire; those that are not set are last
	accesses set               // all so far
	raced    bool
}

// canceller is the goroutine that ends the context.
const canceller = MostGoroutines

// set is of accesses to variables, a bit each. What a goroutine knows of has happened before.
type set uint64

// What a goroutine does.
const (
	unborn = iota
	ready
	waits
	ends
)

type goroutine struct {
	status    uint8
	at, phase uint8
	free      bool // another one may run, wherever the goroutine is
	locked    [Objects]bool
	writes    [Objects]bool
	reads     [Objects]bool
	got       uint8 // while it waited
	ticket    uint8
	saw       [MostOps]uint8
	knows     set
}

// queue has goroutines that wait, the oldest first.
type queue struct {
	n  uint8
	of [MostGoroutines]uint8
}

func (q *queue) push(g int) { q.of[q.n] = uint8(g); q.n++ }

func (q *queue) front(g int) {
	copy(q.of[1:], q.of[:q.n])
	q.of[0] = uint8(g)
	q.n++
}

func (q *queue) pop() int {
	g := q.of[0]
	q.remove(int(g))
	return int(g)
}

func (q *queue) remove(g int) {
	for i := range q.n {
		if q.of[i] == uint8(g) {
			copy(q.of[i:], q.of[i+1:q.n])
			q.n--
			q.of[q.n] = 0
			return
		}
	}
}

// semaphore is one of the runtime. Whoever is woken has to acquire it again, and may be too late.
type semaphore struct {
	count uint8
	queue queue
}

type mutex struct {
	locked, woken bool
	waiters       uint8
	semaphore     semaphore
	released      set
}

type rwMutex struct {
	writer           mutex
	announced        bool // a writer holds it, or waits for readers
	readers, leaving int8
	forReaders       semaphore
	forWriter        semaphore
	byWriter         set
	byReaders        set
}

type channel struct {
	closed     bool
	sendAt     uint8 // slots of the buffer
	receiveAt  uint8
	n          uint8
	buffer     [MostRoom]uint8
	slots      [MostRoom]set // what was known by who used a slot last
	senders    queue
	receivers  queue
	closedWith set
}

type group struct {
	counter   int8
	waiters   uint8
	semaphore semaphore
	released  set
}

type cond struct {
	next, notified uint8 // tickets
	queue          queue
}

type once struct {
	done  bool
	mutex mutex
	knows set
}

// The kinds of timers.
const (
	unset = iota
	wakes
	sends
	cancels
)

const mostTimers = 6

type timer struct {
	kind, of, at, due uint8
}

// sets sets a timer.
func (s *state) sets(kind, g, after int) {
	t := timer{uint8(kind), uint8(g), s.of[g].at, s.now + uint8(after)}
	for i := range s.timers {
		if o := s.timers[i]; o.kind == unset || o.due > t.due {
			copy(s.timers[i+1:], s.timers[i:])
			s.timers[i] = t
			return
		}
	}
}
