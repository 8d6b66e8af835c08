package foreign

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
)

// adjacent makes a set of knots that lead to their neighbours by maps, each ring of them of a size.
func adjacent(sizes ...int) *knots {
	k := &knots{set: map[*knot]int{}}
	for _, n := range sizes {
		all := make([]*knot, n)
		for i := range all {
			all[i] = &knot{of: map[*knot]int{}}
		}
		for i, one := range all {
			one.of[all[(i+1)%n]], one.of[all[(i+n-1)%n]] = 0, 0
			k.set[one] = 0
		}
	}
	return k
}

// Keys that look alike and are not, since they lead to each other in other ways, make one dump
// whichever of them comes first.
func TestKeysThatOnlyLookAlike(t *testing.T) {
	c := newCore(nil)
	is := named(c, adjacent(3, 4))
	for range 20 { // maps come in another order each time
		assert.Equal(t, is, named(c, adjacent(3, 4)))
		assert.Equal(t, is, named(c, adjacent(4, 3)))
	}
	assert.NotEqual(t, is, named(c, adjacent(7)))
}

// It makes no difference where a pointer leads behind which there is nothing.
func TestPointersToNothing(t *testing.T) {
	type two struct {
		a, b *struct{}
		n    [2]struct {
			n    int
			none struct{}
		}
	}
	c := newCore(nil)
	one, other := &two{a: new(struct{}), b: new(struct{})}, &two{a: new(struct{})}
	other.b = &other.n[0].none
	assert.Equal(t, named(c, one), named(c, other))
	assert.NotEqual(t, named(c, one), named(c, &two{a: one.a}))
}

// A history is driven once more with the answers that it was given.
func TestHistoriesAreAnsweredAsTheyWere(t *testing.T) {
	for answer, want := range map[int32]int{1: 1, 0: 2} {
		n := clerks(func(c *clerk, env model.Env, _ int) {
			if env.Held("it") {
				c.heard = []int{1}
				return
			}
			c.heard = []int{2}
		})
		heard := &hearing{Env: held(answer == 1)}
		c := n.behind.core
		start := &trail{in: input{kind: started}}
		first := c.drive(c.make(), input{kind: received, value: 0}, heard)
		assert.Equal(t, []int{want}, first.(*clerk).heard)
		again := c.replay(&trail{before: start, in: input{kind: received, value: 0}, answers: heard.answers})
		assert.Equal(t, []int{want}, again.(*clerk).heard)
	}
}

// held answers whether a hold lasts.
type held bool

func (h held) Held(any) bool               { return bool(h) }
func (held) Self() model.NodeID            { return 0 }
func (held) Choose(int) int                { return 0 }
func (held) Draw(int) int                  { return 0 }
func (held) Send(model.NodeID, any)        {}
func (held) Broadcast([]model.NodeID, any) {}
func (held) After(any, model.Window)       {}
func (held) Cancel(any)                    {}
func (held) Hold(any, model.Bound)         {}
func (held) Return(any)                    {}
func (held) Deliver(any)                   {}
func (held) Note(any)                      {}

// A node with an object of its own recovers from its disk, even if its object went beyond a cut
// meanwhile, with another disk, and nothing came of that.
func TestANodeRecoversFromItsOwnDisk(t *testing.T) {
	n := clerks(func(c *clerk, _ model.Env, n int) { *c.disk = append(*c.disk, n) })
	env := &still{}
	objects := map[any]any{}
	n.Alone(objects)
	n.Start(env)
	beyond := *n
	beyond.Receive(env, 1, 1)
	n.Name = Name{}
	n.Start(env)
	assert.Empty(t, *objects[place{n.behind.core, 0}].(*object).value.(*clerk).disk)
}

// A review has each state with a disk recover.
func TestReviewOfRecoveries(t *testing.T) {
	n := clerks(func(c *clerk, _ model.Env, n int) { c.heard = append(c.heard, n) })
	env, c := &still{}, n.behind.core
	again := c.recover
	c.recover = func(crashed any) any {
		object := again(crashed).(*clerk)
		object.heard = crashed.(*clerk).heard
		return object
	}
	n.Start(env)
	n.Receive(env, 1, 1)
	n.Name = Name{}
	n.Start(env)
	assert.Contains(t, refusalOf(func() { n.Review(map[any]bool{}, func(int) bool { return true }) }), "react to Recover in different ways")
}
