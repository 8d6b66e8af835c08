package compare

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"contend/checker"
	"contend/checker/search"
	"contend/lab/oracle"
	"contend/model"
	"contend/model/foreign"
)

// Foreign compares a check of a system with a foreign object with brute force. Brute force tries every order
// of the object's calls, on a new object each, and merges no states. In half of the systems the dump is
// complete, and the verdicts must be equal. In the others the object hides state in an omitted field, a
// closure, or the capacity of a slice. There the check may refuse the object.
//
// A check that times out is not compared.
func Foreign(seed uint64) *Comparison { return foreignWithin(seed, patience) }

// foreignWithin is Foreign with a time limit for the check.
func foreignWithin(seed uint64, most time.Duration) *Comparison {
	r := rand.New(rand.NewPCG(seed, 17))
	words := []string{"a", "b", "c", "d", "e"}[:3+r.IntN(3)]
	if r.IntN(3) == 0 {
		words[1] = words[0]
	}
	ops := tame
	if r.IntN(2) == 0 {
		ops = wild
	}
	f := &foreignCase{words: words, hides: ops == wild, program: drawProgram(r, words, ops)}
	if seed%3 != 0 && addEmptySlices(f.program, words, r) {
		f.hides = true
	}
	c := &Comparison{Seed: seed, About: fmt.Sprintf("an object that is told %v; it hides something: %v; %v", words, f.hides, f.program)}
	if c.Features = []string{OfForeign}; f.hides {
		c.Features = append(c.Features, Hidden)
	}
	truth := oracle.Holds
	if f.breaks(nil, slices.Clone(words)) {
		truth = oracle.Violated
	}
	rows, err := checker.Check(f.protocol(), model.Check{}, checker.Options{Workers: 1 + r.IntN(2), MaxStates: searched, Timeout: most})
	got := Claim{Kind: model.Always, Reading: model.Untimed, Truth: truth, Verdict: checker.Inconclusive}
	late := false
	switch {
	case err != nil && !(f.hides && errors.As(err, new(model.Refused))):
		c.Problems = append(c.Problems, fmt.Sprintf("seed %d: foreign: %s: it is %s, but the check says: %v", seed, c.About, truth, err))
	case err == nil:
		got.Verdict, late = rows[0].Claims[0].Verdict, rows[0].Claims[0].Limit.Code == search.Timeout
	}
	if c.Claims = []Claim{got}; !got.Agrees() || err == nil && got.Verdict == checker.Inconclusive && !late {
		c.Problems = append(c.Problems, fmt.Sprintf("seed %d: foreign: %s: it is %s, and the check says %s", seed, c.About, truth, got.Verdict))
	}
	return c
}

// A foreignCase is a system with a toy, and a node that sends it all words at once.
type foreignCase struct {
	words   []string
	hides   bool
	program map[string][]action
}

func (f *foreignCase) toy() *toy {
	return &toy{keys: map[any]int{}, pairs: map[[2]*cell]bool{}, program: f.program}
}

// breaks reports whether a toy that has received some words can become bad by some of the other words, in
// some order.
func (f *foreignCase) breaks(received, others []string) bool {
	t := f.toy()
	for _, word := range received {
		if t.hear(word); t.bad {
			return true
		}
	}
	for i := range others {
		if f.breaks(append(slices.Clone(received), others[i]), slices.Delete(slices.Clone(others), i, i+1)) {
			return true
		}
	}
	return false
}

// A caller sends words to the toy.
type caller struct{ words []string }

func (c *caller) Start(env model.Env) {
	for _, word := range c.words {
		env.Send(0, word)
	}
}

func (c *caller) Receive(model.Env, model.NodeID, any) {}

func (f *foreignCase) protocol() *model.Protocol {
	return &model.Protocol{Name: "toy", Title: "a toy is told words", Build: func(c model.Config) (*model.System, error) {
		lib := &foreign.Library[*toy, bool]{New: f.toy, View: func(t *toy) bool { return t.bad }, Omit: []string{"program", "hidden"}}
		return &model.System{Config: c, Network: model.Network{Delay: model.Anytime()}, Types: []any{""}, Nodes: []model.NodeSpec{
			{Name: "toy", Role: model.Server, New: lib.Node},
			{Name: "caller", Role: model.Server, New: func() model.Node { return &caller{f.words} }},
		}}, nil
	}, Claims: []model.Claim{{Name: "it is not bad", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if n, up := nodes[0].(*foreign.Node[bool]); up && n.View {
			return errors.New("it is bad")
		}
		return nil
	}}}}
}
