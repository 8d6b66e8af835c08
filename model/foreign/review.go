package foreign

import "contend/model/wrapped"

// A search runs an object in each state on each input twice, and remembers what comes of it. A history that
// joins a state later is not asked any more. So when a search is over, each reaction is put to the test again:
// by new objects that are driven through the longest history known of the state, and through the others, and
// then given the input. Nothing that is remembered is used for that but what is compared. It costs the length of
// a history for each reaction.

// Review compares reactions with those of new objects of other histories of the same state. It goes
// on while more returns true; the argument of more is the number of handlers run so far. Review
// refuses the check if reactions differ. It skips a library that is in reviewed, and adds it otherwise.
func (n *Node[V]) Review(reviewed map[any]bool, more func(runs int) bool) (is wrapped.Reviewed) {
	if c := n.behind.core; !reviewed[c] {
		reviewed[c] = true
		is = c.review(more)
	}
	return is
}

// A suspect is a history of a state whose reactions are to be compared.
type suspect struct {
	t *trail
	r []reaction
}

func (c *core) review(more func(runs int) bool) (is wrapped.Reviewed) {
	runs := 0
	for _, s := range c.suspects() {
		checked := false
		for _, r := range s.r {
			if s.t.sum == r.t.before.sum {
				continue
			}
			if !more(runs) {
				is.Left++
				continue
			}
			if runs += int(s.t.depth) + 2; !checked {
				c.mustLead(s.t)
				checked = true
			}
			t := &trail{before: s.t, in: r.t.in, answers: r.t.answers}
			if differs := c.does(c.replay(s.t), t).differs(r); differs != "" {
				c.blame(r.t.before, t, differs)
			}
			is.Reactions++
		}
		is.Histories += b2i(checked)
	}
	c.mu.Lock()
	is.States = len(c.states)
	c.mu.Unlock()
	return is
}

// suspects lists the histories of all states, the longest of each first and the shortest last.
func (c *core) suspects() (all []suspect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := map[Name][]reaction{}
	for _, r := range c.reactions {
		if r.asks == 0 && r.t.before != nil {
			of[r.t.before.is] = append(of[r.t.before.is], r)
			if with := c.disks[r.from]; r.t.in.kind == recovered {
				for i, is := range with {
					if is != r.t.before.is && (i == 0 || is != with[0]) {
						of[is] = append(of[is], r)
					}
				}
			}
		}
	}
	for i := range kept {
		for _, is := range c.states {
			if h := c.known[is].trails; i < len(h) && len(of[is]) > 0 {
				all = append(all, suspect{h[(i+1)%len(h)], of[is]})
			}
		}
	}
	return all
}

// mustLead refuses a history that does not lead to its state any more.
func (c *core) mustLead(t *trail) {
	o := &object{value: c.replay(t), trail: &trail{}}
	if c.name(o); o.is != t.is {
		c.unsteady(t, "foreign: a history leads to another state than it did before")
	}
}
