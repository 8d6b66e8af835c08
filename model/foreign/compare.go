package foreign

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"strings"

	"contend/model"
	"contend/model/foreign/diff"
	"contend/model/foreign/dump"
	"contend/model/foreign/reach"
	"contend/model/guard"
	"contend/model/value"
)

// A search merges objects with equal snapshots. The merge is sound if two objects with one snapshot react in
// the same way to all inputs, whatever their histories. The pool tests this assumption all the time. It
// compares the effects and the next state of an object with earlier results for the same snapshot, input and
// answers. Every result that a search uses is computed twice, and the pool alternates between histories. So
// most comparisons are of two histories, if there are two.
//
// If two reactions differ, both objects are restored from their histories and dumped in full. A field in
// which they differ is omitted by Omit or Snapshot. If no field differs, the reaction is not a function of
// the history.

// A reaction is the observed result of an input after some answers: the handler either needs another answer or
// ends.
type reaction struct {
	t             *trail // the history, with the input
	from          Name   // the state before, or its disk
	effects, next Name
	failed        bool
	asks          int32 // the n of the next choice, or a code; 0 if the handler ends
}

// nextState is the difference that core.nextStateDiff details.
const nextState = "the state that follows"

// differs returns the kind of difference of two reactions; "" if they are equal.
func (r reaction) differs(other reaction) string {
	switch {
	case r.asks != other.asks:
		return "what it asks Env"
	case r.failed != other.failed:
		return "whether it fails"
	case r.effects != other.effects:
		return "what it does"
	case r.next != other.next:
		return nextState
	}
	return ""
}

// maxReactions is the largest number of stored reactions, of about 200 bytes each.
const maxReactions = 1 << 20

// key returns the key of the reaction to an input in a state after some answers.
func (in input) key(state Name, answers []int32) Name {
	b := make([]byte, 0, 256)
	b = binary.LittleEndian.AppendUint64(b, state[0])
	b = binary.LittleEndian.AppendUint64(b, state[1])
	for _, n := range []int{int(in.kind), int(in.self), int(in.from), len(answers)} {
		b = binary.AppendVarint(b, int64(n))
	}
	for _, answer := range answers {
		b = binary.AppendVarint(b, int64(answer))
	}
	return nameOf(append(b, value.Canonical(in.value)...))
}

// compareAll compares a reaction, and each request for an answer before it, with stored ones.
func (c *core) compareAll(from, key Name, h *recorder, now reaction) {
	now.from = from
	for i, n := range h.codes {
		c.compare(now.t.in.key(from, h.answers[:i]), reaction{t: now.t, from: from, asks: n}, h.answers[:i])
	}
	c.compare(key, now, h.answers)
}

// compare refuses an object whose reaction differs from the stored one, or stores the reaction.
func (c *core) compare(key Name, now reaction, answers []int32) {
	c.mu.Lock()
	earlier, known := c.reactions[key]
	if !known && len(c.reactions) < maxReactions {
		c.reactions[key] = now
	}
	c.counts.Compared += b2i(known && now.asks == 0 && earlier.t.before != now.t.before)
	c.mu.Unlock()
	if !known {
		return
	}
	if differs := now.differs(earlier); differs != "" {
		c.blame(earlier.t.before, &trail{before: now.t.before, in: now.t.in, answers: answers, name: now.t.name}, differs)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// blame refuses two objects of one state that react differently to the last input of t. Their histories are
// other and t.before. The text names the cause as far as it can be found.
func (c *core) blame(other, t *trail, differs string) {
	what := fmt.Sprintf("foreign: two objects in one state react to %v differently: they differ in %s", t.in, differs)
	if t.before == nil { // the other object has no history either
		c.unsteady(t, what)
	}
	c.mustDump(what)
	unsteady := what
	if differs == nextState {
		what += c.nextStateDiff(other, t)
	}
	d, capacities := splitCapacities(diff.Between(c.fullDump(other), c.fullDump(t.before)))
	const then = "; make it part of the state, fix it by Set, or change the code that depends on it"
	if culprit, found := c.culprit(other, t, d); found {
		culprit.Path = c.omitPath(culprit.Path, t.before)
		model.Refuse("%s. The field %v, which %s leaves out, makes the difference%s%s", what, culprit, c.omittingOption(), then, c.describeBoth(other, t))
	}
	if culprit, found := c.culprit(other, t, capacities); found {
		culprit.Path = c.omitPath(strings.TrimSuffix(culprit.Path, dump.Capacity), t.before)
		model.Refuse("%s. The capacity of %v, which is not part of a state, makes the difference: append writes into the array of the one, "+
			"and copies that of the other; list the slice in Capacities, or clip it at the end of each handler%s",
			what, culprit, c.describeBoth(other, t))
	}
	switch steady := c.steady(t); {
	case len(d) > 0 && steady:
		model.Refuse("%s. Fields that %s leaves out differ too and may be the cause, or a variable that a closure has captured: %s%s%s",
			what, c.omittingOption(), diff.List(d), then, c.describeBoth(other, t))
	case steady && c.steady(&trail{before: other, in: t.in, answers: t.answers}):
		model.Refuse("%s. No field differs: the reaction depends on a variable that a closure has captured, or on something outside the object, such as a package variable%s%s",
			what, then, c.describeBoth(other, t))
	}
	c.unsteady(t, unsteady)
}

// splitCapacities separates differences of capacities from differences of fields.
func splitCapacities(d []diff.Difference) (fields, capacities []diff.Difference) {
	for _, one := range d {
		if strings.HasSuffix(one.Path, dump.Capacity) {
			capacities = append(capacities, one)
		} else {
			fields = append(fields, one)
		}
	}
	return fields, capacities
}

// nextStateDiff lists the fields in which the next states differ, after the last input of t.
func (c *core) nextStateDiff(other, t *trail) (list string) {
	guard.Call(func() {
		a, b := c.replay(&trail{before: other, in: t.in, answers: t.answers}), c.replay(t)
		if d := diff.Between(c.dumper.Lines(a, false), c.dumper.Lines(b, false)); len(d) > 0 {
			list = ", by " + diff.List(d)
		}
	})
	return list
}

// mustDump refuses a program without details, since it has no dump.
func (c *core) mustDump(what string) {
	if c.lone {
		model.Refuse("%s. That is for whoever made the node to find out: the same input must have the same effect", what)
	}
}

// omittingOption returns the option that omits fields.
func (c *core) omittingOption() string {
	if c.snapshot != nil {
		return "Snapshot"
	}
	return "Omit"
}

// steady reports whether repeated replays of a history have equal reactions.
func (c *core) steady(t *trail) bool {
	first := c.reactTo(c.replay(t.before), t)
	for range tries {
		if c.reactTo(c.replay(t.before), t) != first {
			return false
		}
	}
	return true
}

// tries is the number of repetitions. A fair coin gives equal results with a probability of one in a million.
const tries = 20

// fullDump returns the lines of the complete dump after a history; nil if a handler fails.
func (c *core) fullDump(t *trail) (all []dump.Line) {
	guard.Call(func() { all = c.dumper.Lines(c.replay(t), true) })
	return all
}

// unsteady refuses an object whose history has varying results, and names a field that varies.
func (c *core) unsteady(t *trail, what string) {
	c.mustDump(what)
	first := c.fullDump(t)
	for range tries {
		if d, _ := splitCapacities(diff.Between(first, c.fullDump(t))); len(d) > 0 {
			model.Refuse("%s. The same history, run twice, gave %v: that is random, or depends on a clock, or on the order of "+
				"a map or of goroutines; fix it by Set at the end of each handler, or by Env.Choose, or list it in Omit if it makes no difference",
				what, d[0])
		}
	}
	model.Refuse("%s. No field explains it: the reaction depends on something outside the object, such as a package variable, "+
		"a variable that a closure has captured, random numbers, a clock, or the order of a map", what)
}

// culprit returns the difference that causes the reactions to differ: if one object gets the other's value
// there, both react alike, and otherwise they do not.
func (c *core) culprit(other, t *trail, d []diff.Difference) (cause diff.Difference, found bool) {
	for _, one := range d[:min(len(d), tries)] {
		found = true
		for try := 0; found && try < tries; try++ {
			found = c.equalWith(other, t, one.Path) && !c.equalWith(other, t, "")
		}
		if found {
			return one, true
		}
	}
	return cause, false
}

// withCapacity copies a slice into an array of the given capacity.
func withCapacity(slice reflect.Value, capacity int) reflect.Value {
	copied := reflect.MakeSlice(slice.Type(), slice.Len(), max(capacity, slice.Len()))
	reflect.Copy(copied, slice)
	return copied
}

// equalWith reports whether two objects react alike after one gets the other's value of a field, or capacity of a
// slice.
func (c *core) equalWith(other, t *trail, path string) (are bool) {
	guard.Call(func() {
		a, b := c.replay(other), c.replay(t.before)
		if path != "" {
			field, capacity := strings.CutSuffix(path, dump.Capacity)
			to, err1 := reach.Field(b, field)
			from, err2 := reach.Field(a, field)
			if err1 != nil || err2 != nil {
				return // one of the two has no such field, or it is a length or a type
			}
			if capacity {
				to.Set(withCapacity(to.Is, from.Is.Cap()))
			} else {
				to.Set(from.Is)
			}
		}
		are = c.reactTo(a, t) == c.reactTo(b, t)
	})
	return are
}

// reactTo returns the reaction of an object to the last input of a history.
func (c *core) reactTo(o any, t *trail) reaction {
	r, _ := c.observe(o, t, false)
	return r
}

// observe is core.reactTo with the effects as text, if wording is set.
func (c *core) observe(o any, t *trail, wording bool) (r reaction, words []string) {
	env := &replayer{self: t.in.self, answers: t.answers}
	h := &recorder{listener: listener{Env: env}, wording: wording}
	failed := guard.Call(func() {
		next := &object{value: c.drive(o, t.in.detached(), h), trail: &trail{}}
		c.setName(next)
		r.next = next.name
	})
	r.effects, r.failed = nameOf(h.effects), failed != nil
	switch words = h.words; {
	case env.exhausted:
		r = reaction{asks: h.codes[len(t.answers)]}
		words = append(words, "asks Env once more")
	case len(env.answers) > 0:
		r.asks = askedLess
		words = append(words, "asks Env for less")
	case r.failed:
		r.effects, r.next = Name{}, Name{}
		words = append(words, "fails: "+failed.String())
	}
	return r, words
}
