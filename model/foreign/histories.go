package foreign

import (
	"fmt"
	"slices"
	"strings"

	"contend/model/foreign/dump"
)

// Several histories of each state are stored: the shortest, to restore objects; the longest; and others, with
// different last steps if possible. core.review compares them.

// histories has the histories of a state: the shortest, the longest, and others.
type histories struct {
	trails  []*trail
	offered uint32 // the number of histories offered since the list is full
}

// maxTrails is the largest number of stored histories of a state. Each takes about 150 bytes and its input.
const maxTrails = 6

// shortest returns the shortest history, or nil if there is none.
func (h *histories) shortest() *trail {
	if h == nil {
		return nil
	}
	return h.trails[0]
}

// add stores a history, perhaps in place of another.
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
	if len(h.trails) < maxTrails {
		h.trails = append(h.trails, t)
		return
	}
	// reservoir sampling, so that the stored histories are of all times
	h.offered++
	if place := h.offered * 2654435761 >> 16 % (h.offered + maxTrails); place < maxTrails-2 {
		h.trails[2+place] = t
	}
}

// learn stores the history of an object.
func (c *core) learn(o *object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.addTrail(o.name, o.trail)
	if c.recover != nil {
		first := o.name
		if with, known := c.disks[o.disk]; known {
			first = with[0]
		}
		c.disks[o.disk] = [2]Name{first, o.name}
	}
}

// addTrail stores a history of a state.
func (c *core) addTrail(name Name, t *trail) {
	h := c.histories[name]
	if h == nil {
		h = &histories{}
		c.histories[name] = h
		c.states = append(c.states, name)
	}
	h.add(t)
}

// describeBoth describes two histories that lead to one state, and the reactions after them to the last input
// of t.
func (c *core) describeBoth(first, t *trail) string {
	return fmt.Sprintf("\n\tafter %s\n\tafter %s", c.story(first, t), c.story(t.before, t))
}

// story describes a history of a state and the reaction after it. It uses the shortest known history with the
// same reaction.
func (c *core) story(t, last *trail) string {
	c.mu.Lock()
	known := slices.Clone(c.histories[t.name].trails)
	c.mu.Unlock()
	want, words := c.observe(c.replay(t), last, true)
	for _, other := range known {
		if other.depth >= t.depth {
			continue
		}
		if now, text := c.observe(c.replay(other), last, true); now.differs(want) == "" {
			t, words = other, text
		}
	}
	var inputs []string
	for ; t != nil; t = t.before {
		inputs = append(inputs, t.in.withSender())
	}
	slices.Reverse(inputs)
	if len(words) == 0 {
		words = []string{"does nothing"}
	}
	return fmt.Sprintf("%s: it %s, and is then in state %.8s", strings.Join(inputs, ", "), strings.Join(words, ", "), want.next)
}

// omitPath returns the path of a line in the form of Omit. It is the path of the field or of the value that
// contains the field.
func (c *core) omitPath(path string, history *trail) string {
	var b strings.Builder
	depth, quoted, escaped := 0, false, false
	for _, r := range path {
		switch {
		case escaped:
			escaped = false
		case quoted && r == '\\':
			escaped = true
		case r == '"': // only keys have quotes
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
	object := c.replay(history)
	field := b.String()
	for strings.Contains(field, ".") && !dump.ValidPath(field, object) {
		field = field[:strings.LastIndexByte(field, '.')]
	}
	return field
}
