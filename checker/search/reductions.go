package search

import (
	"contend/checker/search/absorb"
	"contend/checker/search/fingerprint"
	"contend/checker/search/step"
	"contend/checker/search/symmetry"
	"contend/checker/search/visited"
)

// A reduction merges states or deletes messages. It checks what it assumes on all results that the search computes.
type reduction interface {
	// begin checks the initial states.
	begin()
	// equip gives a new worker its access.
	equip(s *searcher)
	// Settle checks up to n results, and reports whether more are left.
	Settle(n int) bool
	// Unsettled reports whether results are left to check.
	Unsettled() bool
	// refuse adds the wrong assumptions to r.
	refuse(r *refusals)
	// used returns the names of the reductions that made the search smaller.
	used() []string
	save(c *saved)
	restore(c *saved)
}

// symmetric gives states that differ only by a renaming one key.
type symmetric struct{ *symmetry.Groups }

func (r symmetric) begin() { r.CheckInitial() }

func (r symmetric) equip(s *searcher) {
	s.orbits = symmetry.NewOrbits(s.Worker, r.Groups)
	s.names = orbitNames{s.orbits, s.Worker}
}

func (r symmetric) refuse(to *refusals) { to.unlike = r.Unlike }

func (r symmetric) used() (names []string) {
	for _, g := range r.Groups.Groups {
		names = append(names, g.Reduction())
	}
	return names
}

func (symmetric) save(*saved)    {}
func (symmetric) restore(*saved) {}

// absorbing deletes messages that no longer matter.
type absorbing struct {
	*absorb.Absorber
	x      *explorer
	before bool // a message was absorbed before the search was resumed
}

func (*absorbing) begin() {}

func (r *absorbing) equip(s *searcher) {
	s.absorption = absorb.NewCleaner(r.Absorber, s.Worker)
	s.Absorb = s.absorption
}

func (r *absorbing) refuse(to *refusals) { to.matter = r.Matter }

// absorbed reports whether a message was absorbed.
func (r *absorbing) absorbed() bool {
	count := int64(0)
	for _, s := range r.x.workers {
		count += s.absorption.Count
	}
	return r.before || count > 0
}

func (r *absorbing) used() []string {
	if r.absorbed() {
		return []string{"stale absorption"}
	}
	return nil
}

func (r *absorbing) save(c *saved) { c.Absorbed, c.Absorbs = r.Save(), r.absorbed() }

func (r *absorbing) restore(c *saved) {
	r.Restore(&c.Absorbed)
	r.before = c.Absorbs
}

// names gives states the keys by which the set knows them. Workers call it for each successor.
type names interface {
	// key returns the key of a state with a sum.
	key(v []uint32, sum fingerprint.Print) fingerprint.Print
	// sum returns the sum of a state with a key.
	sum(v []uint32, key fingerprint.Print) fingerprint.Print
	// tried returns the largest number of orders of tied members that were tried for one state.
	tried() orders
}

// sums names each state by its own sum.
type sums struct{ *step.Worker }

func (sums) key(_ []uint32, sum fingerprint.Print) fingerprint.Print { return sum }

func (n sums) sum(v []uint32, key fingerprint.Print) fingerprint.Print {
	if visited.Altered(key) {
		return n.PrintOfState(v)
	}
	return key
}

func (sums) tried() orders { return orders{} }

// orbitNames names each state by its orbit.
type orbitNames struct {
	*symmetry.Orbits
	worker *step.Worker
}

func (n orbitNames) key(v []uint32, sum fingerprint.Print) fingerprint.Print { return n.Key(v, sum) }

func (n orbitNames) sum(v []uint32, _ fingerprint.Print) fingerprint.Print {
	return n.worker.PrintOfState(v)
}

func (n orbitNames) tried() orders { return orders{n.Servers.Tried, n.Clients.Tried} }
