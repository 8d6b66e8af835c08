// Package together runs the parts of one search in one process, for tests and comparisons.
package together

import (
	"errors"
	"sync"

	"contend/checker/search/parts"
)

// A Crew starts the other parts of a search, each in a goroutine. It is the [parts.Crew] of the first part.
type Crew struct {
	Parts int // number of parts, with the first
	// Follow is called once for each other part, in a goroutine of its own. It must call ready once the part
	// can answer questions; ready returns when the search is over. Then Follow must return.
	Follow func(part int, ex parts.Exchange, ready func() error) error

	over    chan struct{}
	once    *sync.Once
	running sync.WaitGroup
	mu      sync.Mutex
	answers []func(from int, what parts.Kind, question []byte) []byte
}

// Gather starts the parts and returns the exchange of the first. If a part cannot start, Gather returns its error. If lost is not nil, Gather returns lost: it repeats no search that has lost a part.
func (c *Crew) Gather(lost error) (parts.Exchange, parts.Store, error) {
	if lost != nil {
		return nil, nil, lost
	}
	c.over, c.once = make(chan struct{}), new(sync.Once)
	c.answers = make([]func(int, parts.Kind, []byte) []byte, c.Parts)
	for part := 1; part < c.Parts; part++ {
		started := make(chan error, 1)
		c.running.Go(func() {
			started <- c.Follow(part, end{c, part}, func() error { started <- nil; <-c.over; return nil })
			c.end()
		})
		if err := <-started; err != nil {
			return nil, nil, err
		}
	}
	return end{c, 0}, nil, nil
}

// Close ends the other parts and waits for them.
func (c *Crew) Close() {
	c.end()
	c.running.Wait()
}

func (c *Crew) end() {
	if c.once != nil {
		c.once.Do(func() { close(c.over) })
	}
}

// An end is the exchange of one part.
type end struct {
	*Crew
	part int
}

func (e end) Part() (number, count int) { return e.part, e.Parts }

func (e end) Answer(by func(from int, what parts.Kind, question []byte) []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers[e.part] = by
}

func (e end) Ask(to int, what parts.Kind, question []byte) ([]byte, error) {
	e.mu.Lock()
	by := e.answers[to]
	e.mu.Unlock()
	reply := make(chan []byte, 1)
	go func() { reply <- by(e.part, what, question) }()
	select {
	case answer := <-reply:
		return answer, nil
	case <-e.over:
		return nil, errors.New("a part of the search has ended")
	}
}
