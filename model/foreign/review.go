package foreign

import "contend/model/wrapped"

// A search runs each input in each state twice and stores the reaction. A history that reaches the state later
// is not compared. So after the search each reaction is tested again: new objects replay the longest history of
// the state, and then others, and get the input. Only the compared reactions are stored data. The cost of each
// reaction is the length of a history.

// Review compares reactions with the reactions of new objects with other histories of the same state. It
// calls more before each comparison with the number of handlers run so far, and stops when more returns
// false. It refuses the check if reactions differ. It skips a library in reviewed, and otherwise adds the
// library.
func (n *Node[V]) Review(reviewed map[any]bool, more func(runs int) bool) (result wrapped.Reviewed) {
	if c := n.shared.core; !reviewed[c] {
		reviewed[c] = true
		result = c.review(more)
	}
	return result
}

// A suspect is a history of a state. Its reactions will be compared.
type suspect struct {
	t *trail
	r []reaction
}

func (c *core) review(more func(runs int) bool) (result wrapped.Reviewed) {
	runs := 0
	for _, s := range c.suspects() {
		checked := false
		for _, r := range s.r {
			if s.t.sum == r.t.before.sum {
				continue
			}
			if !more(runs) {
				result.Left++
				continue
			}
			if runs += int(s.t.depth) + 2; !checked {
				c.mustLead(s.t)
				checked = true
			}
			t := &trail{before: s.t, in: r.t.in, answers: r.t.answers}
			if differs := c.reactTo(c.replay(s.t), t).differs(r); differs != "" {
				c.blame(r.t.before, t, differs)
			}
			result.Reactions++
		}
		result.Histories += b2i(checked)
	}
	c.mu.Lock()
	result.States = len(c.states)
	c.mu.Unlock()
	return result
}

// suspects returns the histories of all states, for each state the longest first and the shortest last.
func (c *core) suspects() (all []suspect) {
	c.mu.Lock()
	defer c.mu.Unlock()
	byState := map[Name][]reaction{}
	for _, r := range c.reactions {
		if r.asks == 0 && r.t.before != nil {
			byState[r.t.before.name] = append(byState[r.t.before.name], r)
			if with := c.disks[r.from]; r.t.in.kind == recovered {
				for i, name := range with {
					if name != r.t.before.name && (i == 0 || name != with[0]) {
						byState[name] = append(byState[name], r)
					}
				}
			}
		}
	}
	for i := range maxTrails {
		for _, name := range c.states {
			if h := c.histories[name].trails; i < len(h) && len(byState[name]) > 0 {
				all = append(all, suspect{h[(i+1)%len(h)], byState[name]})
			}
		}
	}
	return all
}

// mustLead refuses a history that does not lead to its state any more.
func (c *core) mustLead(t *trail) {
	o := &object{value: c.replay(t), trail: &trail{}}
	if c.setName(o); o.name != t.name {
		c.unsteady(t, "foreign: a history leads to another state than it did before")
	}
}
