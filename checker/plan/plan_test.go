package plan_test

import (
	"testing"

	"contend/checker/plan"
	"contend/model"
	"contend/model/wrapped"
)

// merged is a node over an object.
type merged struct{ app }

func (*merged) Alone(map[any]any) {}
func (*merged) Review(map[any]bool, func(int) bool) wrapped.Reviewed {
	return wrapped.Reviewed{}
}

// Every search of a row has the system that was planned with, but none over objects that an earlier search had.
func TestTake(t *testing.T) {
	for _, c := range []struct {
		name string
		node func() model.Node
		want int // builds of a row that is searched twice
	}{
		{"states of their own", func() model.Node { return &app{} }, 1},
		{"objects", func() model.Node { return &merged{} }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			built := 0
			p := &model.Protocol{Name: "app", Params: []model.Parameter{model.N}, Build: func(is model.Config) (*model.System, error) {
				built++
				return &model.System{Config: is, Nodes: []model.NodeSpec{{Name: "c", New: c.node}}}, nil
			}}
			row, err := plan.Whole(p, model.Check{Config: model.Config{N: 1}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			first, err := row.Take()
			if err != nil || first != row.System {
				t.Fatalf("the first search has %p, want %p: %v", first, row.System, err)
			}
			second, err := row.Take()
			if err != nil || built != c.want || (second == first) != (c.want == 1) {
				t.Errorf("two searches of %p and %p: built %d times, want %d: %v", first, second, built, c.want, err)
			}
		})
	}
}
