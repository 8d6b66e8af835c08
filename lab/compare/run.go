package compare

import "sync"

// Options configure [Run].
type Options struct {
	Seed    uint64 // seed of the first system; the others have consecutive seeds
	Systems int    // maximum number; 0 is no limit
	States  int    // limit of brute force for one system
	Workers int    // number of concurrent comparisons, ≥ 1
	// Stop is called before each system; true ends the run.
	Stop func() bool
	// Each, unless nil, is called after each comparison, in order of seeds, with the tally so far.
	Each func(c *Comparison, t *Tally)
}

// foreignEvery is the number of systems of which one has a foreign object.
const foreignEvery = 16

// compareSeed compares the system of a seed, and a disk.
func compareSeed(seed uint64, limit int) *Comparison {
	var c *Comparison
	if seed%foreignEvery == foreignEvery-1 {
		c = Foreign(seed)
	} else {
		c = Compare(seed, limit)
	}
	c.disk(seed)
	return c
}

// Run compares systems until a limit or Stop ends it.
func Run(opt Options) *Tally {
	t := NewTally()
	// A slot holds the comparison of one seed, so that the order of results does not depend on the workers.
	slots := make(chan chan *Comparison, opt.Workers)
	var results sync.WaitGroup
	results.Go(func() {
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
			slot <- compareSeed(seed, opt.States)
		}(opt.Seed + uint64(i))
	}
	close(slots)
	results.Wait()
	return t
}
