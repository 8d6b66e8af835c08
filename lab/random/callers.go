package random

import (
	"fmt"
	"math/rand/v2"

	"contend/model"
)

// A caller makes the notes of its table for an invocation, in one step.
type caller struct{ notes [2][]int }

func (c *caller) Invoke(env model.Env, call any) {
	for _, n := range c.notes[call.(int)] {
		env.Note(n)
	}
	env.Return(nil)
}

// An allowance is a callee's reaction to an invocation: up to three notes in the same step, and notes in a
// separate later step.
type allowance struct{ now, later []int }

// A callee is the only node of a page. It has no script: its invocations are observed.
type callee struct {
	allowed *[2][]allowance // by invocation
	Later   []int
}

func (d *callee) Invoke(env model.Env, call any) {
	all := d.allowed[call.(int)]
	a := all[env.Choose(len(all))]
	for _, n := range a.now {
		env.Note(n)
	}
	if d.Later = a.later; len(d.Later) > 0 {
		env.After(alarm{}, model.Anytime())
	}
	env.Return(nil)
}

func (d *callee) Timeout(env model.Env, _ any) {
	for _, n := range d.Later {
		env.Note(n)
	}
	d.Later = nil
}

// Callers returns a system of two or three callers, and the claim that it refines a callee. The callee's
// operations are the operations of all callers. The refinement may hide the invocation of one operation, by
// its number. After an invocation the callee may be in many states.
func Callers(seed uint64) (it Case, claim []model.Claim) {
	r := rand.New(rand.NewPCG(seed, 43))
	notes := func(most int) (all []int) {
		for range r.IntN(most + 1) {
			all = append(all, r.IntN(2))
		}
		return all
	}
	var allowed [2][]allowance
	for call := range allowed {
		for range 1 + r.IntN(4) {
			a := allowance{now: notes(3), later: notes(2)}
			allowed[call] = append(allowed[call], a)
		}
	}
	it = Case{System: &model.System{Types: []any{alarm{}}}, Reading: model.Untimed}
	for i := range 2 + r.IntN(2) {
		var c caller
		for call := range c.notes {
			a := allowed[call][r.IntN(len(allowed[call]))]
			if c.notes[call] = append(append(c.notes[call], a.now...), a.later...); r.IntN(4) == 0 {
				c.notes[call] = notes(4)
			}
		}
		spec := model.NodeSpec{Name: fmt.Sprint("c", i), Role: model.Client, New: func() model.Node { return &caller{c.notes} }}
		for range 1 + r.IntN(2) {
			spec.Script = append(spec.Script, model.Op{Call: r.IntN(2), After: model.Anytime()})
		}
		it.System.Nodes = append(it.System.Nodes, spec)
	}
	hidden := r.IntN(9) - 3
	return it, []model.Claim{{Name: "refines", Kind: model.Refines, Refinement: model.Refinement{
		Page: &model.Protocol{Name: "page", Build: func(model.Config) (*model.System, error) {
			return &model.System{Types: []any{alarm{}}, Nodes: []model.NodeSpec{{Name: "callee", New: func() model.Node { return &callee{allowed: &allowed} }}}}, nil
		}},
		See: func(o model.Observation) (model.Observation, bool) {
			o.Op, o.Node = 2*int(o.Node)+o.Op, 0
			return o, o.Kind == model.Invoked || o.Kind == model.Noted
		},
		Hides: func(o model.Observation) bool {
			return o.Kind != model.Noted && (o.Kind != model.Invoked || o.Op == hidden)
		},
	}}}
}
