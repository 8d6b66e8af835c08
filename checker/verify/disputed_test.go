package verify

import (
	"fmt"
	"runtime"
	"strings"

	"contend/model"
)

// disputedSuite has a protocol whose nodes count a message twice where package step runs them, on whose steps the search
// rests, and once elsewhere, as in the interpreter. To the tool that is the same as if package step took a wrong step.
var disputedSuite = []*model.Protocol{{
	Name: "disputed", Title: "steps are wrong in one of two implementations", Source: "nowhere",
	Params: []model.Parameter{model.N.WithMeaning("nodes").WithDefault(2)},
	Build: func(c model.Config) (*model.System, error) {
		s := &model.System{Types: []any{""}, Network: model.Network{Delay: model.By(1)}}
		for i := range c.N {
			s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprintf("p%d", i+1), New: func() model.Node { return &disputed{} }})
		}
		s.Nodes[0].Script = []model.Op{{Call: "go"}}
		return s, nil
	},
	Claims: []model.Claim{{Name: "counted once", Kind: model.Always, Source: "nowhere", Invariant: func(nodes []model.Node) error {
		if n := nodes[1].(*disputed).Count; n > 1 {
			return fmt.Errorf("%d messages are counted", n)
		}
		return nil
	}}},
	Checks: []model.Check{{Config: model.Config{N: 2}}},
}}

type disputed struct{ Count int }

func (d *disputed) Invoke(env model.Env, _ any) {
	env.Send(1, "count me")
	env.Return(nil)
}

func (d *disputed) Receive(model.Env, model.NodeID, any) {
	if d.Count++; calledBy("contend/checker/search/step.") {
		d.Count++
	}
}

// calledBy reports whether a package, by its path with a dot, is among the callers.
func calledBy(pkg string) bool {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	for {
		f, more := frames.Next()
		if strings.HasPrefix(f.Function, pkg) {
			return true
		}
		if !more {
			return false
		}
	}
}
