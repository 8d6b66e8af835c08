package foreign

import (
	"fmt"
	"slices"
	"strings"

	"contend/model/foreign/dump"
)

// Of each state several histories are kept: the shortest, by which objects are made; the longest; and some
// others, of different last steps if there are such. They are what [core.review] compares.

// histories are those of one state: the shortest first, then the longest.
type histories struct {
	trails  []*trail
	offered uint32 // since there is no room
}

// kept is how many histories of a state are kept: each takes some 150 bytes and what it is given.
const kept = 6

// shortest is nil if there is none.
func (h *histories) shortest() *trail {
	if h == nil {
		return nil
	}
	return h.trails[0]
}

// add keeps a history, perhaps in place of another.
func (h *histories) add(t *trail) {
	if slices.ContainsFunc(h.trails, func(one *trail) bool { return one.sum == t.sum }) {
		return
	}
	if len(h.trails) > 0 && t.depth < h.trails[0].depth {
		t, h.trails[0] = h.trails[0], t
	}
	if len(h.trails) > 1 && t.depth > h.trails[1].depth {
		t, h.trails[1] = h.trails[1], t
	}
	if len(h.trails) < kept {
		h.trails = append(h.trails, t)
		return
	}
	// One of the others gives way now and then, so that those that are kept are of all times.
	h.offered++
	if place := h.offered * 2654435761 >> 16 % (h.offered + kept); place < kept-2 {
		h.trails[2+place] = t
	}
}

// learn keeps the history of an object.
func (c *core) learn(o *object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.remember(o.is, o.trail)
	if c.recover != nil {
		first := o.is
		if with, known := c.disks[o.disk]; known {
			first = with[0]
		}
		c.disks[o.disk] = [2]Name{first, o.is}
	}
}

// remember keeps a history of a state.
func (c *core) remember(is Name, t *trail) {
	h := c.known[is]
	if h == nil {
		h = &histories{}
		c.known[is] = h
		c.states = append(c.states, is)
	}
	h.add(t)
}

// both tells of two histories that lead to one state, in their shortest form, and of how their objects react to
// the last input of t, that of t the second.
func (c *core) both(other, t *trail) string {
	return fmt.Sprintf("\n\tafter %s\n\tafter %s", c.story(other, t), c.story(t.before, t))
}

// story tells of a history and of the reaction after it. Where shorter histories of the same state are
// followed by the same reaction, it tells of the shortest.
func (c *core) story(t, last *trail) string {
	c.mu.Lock()
	known := slices.Clone(c.known[t.is].trails)
	c.mu.Unlock()
	is, words := c.said(c.replay(t), last, true)
	for _, other := range known {
		if other.depth >= t.depth {
			continue
		}
		if now, text := c.said(c.replay(other), last, true); now.differs(is) == "" {
			t, words = other, text
		}
	}
	var inputs []string
	for ; t != nil; t = t.before {
		inputs = append(inputs, t.in.told())
	}
	slices.Reverse(inputs)
	if len(words) == 0 {
		words = []string{"does nothing"}
	}
	return fmt.Sprintf("%s: it %s, and is then in state %.8s", strings.Join(inputs, ", "), strings.Join(words, ", "), is.is)
}

// asOmit writes the path of a line as Omit has it, which leads to the field or to what it is in.
func (c *core) asOmit(path string, of *trail) string {
	var b strings.Builder
	depth, quoted, escaped := 0, false, false
	for _, r := range path {
		switch {
		case escaped:
			escaped = false
		case quoted && r == '\\':
			escaped = true
		case r == '"': // only a key has one
			quoted = !quoted
		case quoted:
		case r == '[':
			depth++
		case r == ']':
			if depth--; depth == 0 {
				b.WriteString("[]")
			}
		case depth == 0:
			b.WriteRune(r)
		}
	}
	object := c.replay(of)
	is := b.String()
	for strings.Contains(is, ".") && !dump.Leads(is, object) {
		is = is[:strings.LastIndexByte(is, '.')]
	}
	return is
}
