package committee

import (
	"slices"

	"contend/model"
)

// backed stores the blocks that correct primaries have proposed, and the commitments of validators.
type backed struct {
	cfg      *Config
	Proposed map[Proposed]bool
	Commits  map[Committed][]model.NodeID
}

func (b *backed) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Proposed:
		b.Proposed[n] = true
	case Committed:
		b.Commits[n] = add(b.Commits[n], o.Node)
	case Accepted:
		w.Witness()
		if primary := int(b.cfg.primary(int(n.View))); primary != b.cfg.Liar && !b.Proposed[Proposed(n)] {
			w.Violate("it accepts %s, which cn%d, the primary of view %d, has not proposed", n.Block, primary, n.View)
		}
		if backers := b.backers(n) + b.cfg.liars(); backers < b.cfg.m() {
			w.Violate("it accepts %s in view %d, to which %d of %d validators can have committed", n.Block, n.View, backers, b.cfg.Validators)
		}
	}
}

// backers returns the number of correct validators that have committed to a block in a view.
func (b *backed) backers(a Accepted) int {
	n := 0
	for c, who := range b.Commits {
		if c.View == a.View && c.Block == a.Block {
			n += len(who)
		}
	}
	return n
}

// preparations stores which validator has prepared which block, and by which PrepareRequest.
type preparations struct {
	cfg *Config
	Who map[Prepared][]model.NodeID
}

func (p *preparations) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Prepared:
		p.Who[n] = add(p.Who[n], o.Node)
	case Committed:
		w.Witness()
		if who := len(p.Who[Prepared(n)]) + p.cfg.liars(); who < p.cfg.m() {
			w.Violate("it commits to %s in view %d, which %d of %d validators can have prepared", n.Block, n.View, who, p.cfg.Validators)
		}
	}
}

// changes stores the view that each validator has last requested.
type changes struct {
	cfg   *Config
	Asked map[model.NodeID]byte
}

func (c *changes) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Asked:
		c.Asked[o.Node] = max(c.Asked[o.Node], n.View)
	case Entered:
		w.Witness()
		who := c.cfg.liars()
		for _, view := range c.Asked {
			if view >= n.View {
				who++
			}
		}
		if who < c.cfg.m() {
			w.Violate("it enters view %d, for which %d of %d validators can have asked", n.View, who, c.cfg.Validators)
		}
	}
}

func add(to []model.NodeID, id model.NodeID) []model.NodeID {
	if slices.Contains(to, id) {
		return to
	}
	to = append(slices.Clone(to), id)
	slices.Sort(to)
	return to
}
