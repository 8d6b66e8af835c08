package compare

import "sync"

// Options say how long [Run] goes on.
type Options struct {
	Seed    uint64 // of the first system; that of each further one is one more
	Systems int    // at most; 0 means no bound
	States  int    // that brute force goes through, for one system
	Workers int    // systems compared side by side, ≥ 1
	// Stop is asked before each system whether to stop.
	Stop func() bool
	// Each, unless nil, is told of each comparison, in the order of the seeds, with the tally
	// up to it.
	Each func(c *Comparison, t *Tally)
}

// foreignEvery is one of how many systems has a foreign object in it.
const foreignEvery = 16

// drawn compares the system of a seed, of whichever kind it is, and a disk.
func drawn(seed uint64, limit int) *Comparison {
	var c *Comparison
	if seed%foreignEvery == foreignEvery-1 {
		c = Foreign(seed)
	} else {
		c = One(seed, limit)
	}
	c.disk(seed)
	return c
}

// Run compares one system after another, until it is told to stop.
func Run(opt Options) *Tally {
	t := NewTally()
	// A slot holds the comparison of one seed, once it is made, so that what is told does
	// not depend on which is made first.
	slots := make(chan chan *Comparison, opt.Workers)
	var told sync.WaitGroup
	told.Go(func() {
		for slot := range slots {
			c := <-slot
			t.Add(c)
			if opt.Each != nil {
				opt.Each(c, t)
			}
		}
	})
	busy := make(chan struct{}, opt.Workers)
	for i := 0; (opt.Systems == 0 || i < opt.Systems) && !opt.Stop(); i++ {
		slot := make(chan *Comparison, 1)
		slots <- slot
		busy <- struct{}{}
		go func(seed uint64) {
			defer func() { <-busy }()
			slot <- drawn(seed, opt.States)
		}(opt.Seed + uint64(i))
	}
	close(slots)
	told.Wait()
	return t
}
