package check

import (
	"slices"
	"testing"

	"contend/checker/verdict"
	"contend/model"
)

// sloppy is a monitor, and a client, that throws a map away and writes to it later, and lets two
// slices share their memory until then.
type sloppy struct {
	Seen     map[int]bool
	One, Two []int
}

func (f *sloppy) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Returned {
		return
	}
	w.Witness()
	if f.step() > 3 {
		w.Violate("it happened four times")
	}
}

func (f *sloppy) Invoke(env model.Env, _ any) {
	if f.step(); f.One[0] != 1 {
		panic("a slice of its own was changed")
	}
	env.Return(nil)
}

// step counts how often it is called.
func (f *sloppy) step() int {
	if len(f.Two) == 0 {
		f.Two = []int{0}
	}
	f.Seen[len(f.Seen)] = true
	f.Seen = nil
	f.Two[0]++
	n := f.Two[0]
	if n == 1 {
		f.One = f.Two
	}
	return n
}

// What a handler leaves is kept as plain values, by the search and by the interpreter alike: a map that it
// has thrown away is there again, empty, and slices do not share what the handler made them share.
func TestHandlersLeavePlainValues(t *testing.T) {
	p := apps(model.Claim{Name: "three times", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &sloppy{} }})
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		s.Nodes[0].New = func() model.Node { return &sloppy{} }
		return s, err
	}
	rows, err := Run(p, model.Check{Config: model.Config{}.With(model.Ops.Is(5))}, verdict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, c := range rows[0].Claims {
		said = append(said, c.Name+" "+string(c.Verdict)+" "+c.Text+c.Limit.String())
	}
	if want := []string{"three times violated c: it happened four times"}; !slices.Equal(said, want) {
		t.Errorf("%q, want %q", said, want)
	}
}
