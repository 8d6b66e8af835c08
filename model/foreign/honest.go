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

// A search merges the states of objects whose snapshots are equal. That is right if two objects of
// one snapshot react alike to all that comes, whatever their histories were. It is put to the test
// all the time: what an object does on an input, and the state that it comes to, is compared with
// what was seen before in the same snapshot on the same input and answers. Every result that a
// search uses is computed twice, and the pool hands out objects of different histories in turn, so
// that most comparisons are of two histories where there are two. When they differ, both objects
// are made once more by their histories, and dumped with nothing left out: a field in which they
// differ is one that Omit or Snapshot leaves out. If they do not differ, what they do is no
// function of their histories.

// A reaction is what an object was seen to do: to an input and some answers, after which it asked for one
// more, or went on to its end.
type reaction struct {
	t       *trail // how the object came to its state, and the input
	from    Name   // the state, or its disk
	did, is Name
	failed  bool
	asks    int32 // of how many it wants one more answer, or a sign
}

// follows is the respect of which [core.follow] tells more.
const follows = "the state that follows"

// differs says in which respect two reactions differ; "" if in none.
func (r reaction) differs(other reaction) string {
	switch {
	case r.asks != other.asks:
		return "what it asks Env"
	case r.failed != other.failed:
		return "whether it fails"
	case r.did != other.did:
		return "what it does"
	case r.is != other.is:
		return follows
	}
	return ""
}

// remembered is how many reactions are kept to compare later ones with: about 200 bytes each.
const remembered = 1 << 20

// key names what a reaction is to.
func (in input) key(state Name, answers []int32) Name {
	b := make([]byte, 0, 256)
	b = binary.LittleEndian.AppendUint64(b, state[0])
	b = binary.LittleEndian.AppendUint64(b, state[1])
	for _, n := range []int{int(in.kind), int(in.self), int(in.from), len(answers)} {
		b = binary.AppendVarint(b, int64(n))
	}
	for _, is := range answers {
		b = binary.AppendVarint(b, int64(is))
	}
	return nameOf(append(b, value.Canonical(in.value)...))
}

// heard compares a reaction, and what was asked on the way.
func (c *core) heard(from, key Name, h *hearing, now reaction) {
	now.from = from
	for i, asked := range h.asked {
		c.compare(now.t.in.key(from, h.answers[:i]), reaction{t: now.t, from: from, asks: asked}, h.answers[:i])
	}
	c.compare(key, now, h.answers)
}

// compare refuses an object that reacts in another way, to an input and some answers, than one in the same state did.
func (c *core) compare(key Name, now reaction, answers []int32) {
	c.mu.Lock()
	earlier, known := c.reactions[key]
	if !known && len(c.reactions) < remembered {
		c.reactions[key] = now
	}
	c.counts.Compared += b2i(known && now.asks == 0 && earlier.t.before != now.t.before)
	c.mu.Unlock()
	if !known {
		return
	}
	if differs := now.differs(earlier); differs != "" {
		c.blame(earlier.t.before, &trail{before: now.t.before, in: now.t.in, answers: answers, is: now.t.is}, differs)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// blame says why an object, which came to its state by the history before t, reacts to the last
// input of t in another way than one that came to the same state by the other history.
func (c *core) blame(other, t *trail, differs string) {
	what := fmt.Sprintf("foreign: two objects in one state react to %v differently: they differ in %s", t.in, differs)
	if t.before == nil { // nor has the other one a history
		c.unsteady(t, what)
	}
	c.mustDump(what)
	unsteady := what
	if differs == follows {
		what += c.follow(other, t)
	}
	d, capacities := apart(diff.Between(c.whole(other), c.whole(t.before)))
	const then = "; make it part of the state, fix it by Set, or change the code that depends on it"
	if culprit, found := c.culprit(other, t, d); found {
		culprit.Path = c.asOmit(culprit.Path, t.before)
		model.Refuse("%s. The field %v, which %s leaves out, makes the difference%s%s", what, culprit, c.by(), then, c.both(other, t))
	}
	if culprit, found := c.culprit(other, t, capacities); found {
		culprit.Path = c.asOmit(strings.TrimSuffix(culprit.Path, dump.Capacity), t.before)
		model.Refuse("%s. The capacity of %v, which is not part of a state, makes the difference: append writes into the array of the one, "+
			"and copies that of the other; list the slice in Capacities, or clip it at the end of each handler%s",
			what, culprit, c.both(other, t))
	}
	switch steady := c.steady(t); {
	case len(d) > 0 && steady:
		model.Refuse("%s. Fields that %s leaves out differ too and may be the cause, or a variable that a closure has captured: %s%s%s",
			what, c.by(), diff.List(d), then, c.both(other, t))
	case steady && c.steady(&trail{before: other, in: t.in, answers: t.answers}):
		model.Refuse("%s. No field differs: the reaction depends on a variable that a closure has captured, or on something outside the object, such as a package variable%s%s",
			what, then, c.both(other, t))
	}
	c.unsteady(t, unsteady)
}

// apart sets differences of capacities apart.
func apart(d []diff.Difference) (fields, capacities []diff.Difference) {
	for _, one := range d {
		if strings.HasSuffix(one.Path, dump.Capacity) {
			capacities = append(capacities, one)
		} else {
			fields = append(fields, one)
		}
	}
	return fields, capacities
}

// follow lists the fields in which the states differ that follow on the last input of t, after the history other
// and after that before t.
func (c *core) follow(other, t *trail) (list string) {
	guard.Call(func() {
		a, b := c.replay(&trail{before: other, in: t.in, answers: t.answers}), c.replay(t)
		if d := diff.Between(c.dumper.Lines(a, false), c.dumper.Lines(b, false)); len(d) > 0 {
			list = ", by " + diff.List(d)
		}
	})
	return list
}

// mustDump refuses without saying more where an object is a whole program, of which there is no dump.
func (c *core) mustDump(what string) {
	if c.lone {
		model.Refuse("%s. That is for whoever made the node to find out: the same input must have the same effect", what)
	}
}

// by is what leaves out fields.
func (c *core) by() string {
	if c.snapshot != nil {
		return "Snapshot"
	}
	return "Omit"
}

// steady reports whether the objects of a history come to one reaction each time.
func (c *core) steady(t *trail) bool {
	first := c.does(c.replay(t.before), t)
	for range tries {
		if c.does(c.replay(t.before), t) != first {
			return false
		}
	}
	return true
}

// tries is how often something is tried once more: what is drawn by a fair coin comes out the same
// each time once in a million.
const tries = 20

// whole is the whole dump of an object that is made by a history; nothing if a handler fails.
func (c *core) whole(t *trail) (all []dump.Line) {
	guard.Call(func() { all = c.dumper.Lines(c.replay(t), true) })
	return all
}

// unsteady says what differs after two runs on one history.
func (c *core) unsteady(t *trail, what string) {
	c.mustDump(what)
	first := c.whole(t)
	for range tries {
		if d, _ := apart(diff.Between(first, c.whole(t))); len(d) > 0 {
			model.Refuse("%s. The same history, run twice, gave %v: that is random, or depends on a clock, or on the order of "+
				"a map or of goroutines; fix it by Set at the end of each handler, or by Env.Choose, or list it in Omit if it makes no difference",
				what, d[0])
		}
	}
	model.Refuse("%s. No field explains it: the reaction depends on something outside the object, such as a package variable, "+
		"a variable that a closure has captured, random numbers, a clock, or the order of a map", what)
}

// culprit finds the field that makes the difference: when one object is given what the other has
// there, both react alike, and else they do not.
func (c *core) culprit(other, t *trail, d []diff.Difference) (is diff.Difference, found bool) {
	for _, one := range d[:min(len(d), tries)] {
		found = true
		for try := 0; found && try < tries; try++ {
			found = c.alike(other, t, one.Path) && !c.alike(other, t, "")
		}
		if found {
			return one, true
		}
	}
	return is, false
}

// roomy copies a slice into an array of another capacity.
func roomy(slice reflect.Value, capacity int) reflect.Value {
	copied := reflect.MakeSlice(slice.Type(), slice.Len(), max(capacity, slice.Len()))
	reflect.Copy(copied, slice)
	return copied
}

// alike reports whether the object of one history reacts like that of the other, when it is given
// what the other has in a field, or the capacity of a slice.
func (c *core) alike(other, t *trail, path string) (are bool) {
	guard.Call(func() {
		a, b := c.replay(other), c.replay(t.before)
		if path != "" {
			field, capacity := strings.CutSuffix(path, dump.Capacity)
			to, err1 := reach.Field(b, field)
			from, err2 := reach.Field(a, field)
			if err1 != nil || err2 != nil {
				return // there is no such field in one of them, or it is a length or a type
			}
			if capacity {
				to.Set(roomy(to.Is, from.Is.Cap()))
			} else {
				to.Set(from.Is)
			}
		}
		are = c.does(a, t) == c.does(b, t)
	})
	return are
}

// does is how an object reacts to the last input of a history.
func (c *core) does(o any, t *trail) reaction {
	r, _ := c.said(o, t, false)
	return r
}

// said is [core.does], and what the object does for people, if it is asked.
func (c *core) said(o any, t *trail, tells bool) (r reaction, words []string) {
	env := &replaying{self: t.in.self, answers: t.answers}
	h := &hearing{Env: env, tells: tells}
	failed := guard.Call(func() {
		next := &object{value: c.drive(o, t.in.kept(), h), trail: &trail{}}
		c.name(next)
		r.is = next.is
	})
	r.did, r.failed = nameOf(h.did), failed != nil
	switch words = h.words; {
	case env.strayed:
		r = reaction{asks: h.asked[len(t.answers)]}
		words = append(words, "asks Env once more")
	case len(env.answers) > 0:
		r.asks = askedLess
		words = append(words, "asks Env for less")
	case r.failed:
		r.did, r.is = Name{}, Name{}
		words = append(words, "fails: "+failed.String())
	}
	return r, words
}
