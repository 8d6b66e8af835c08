package oracle

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/value"
	"contend/model/world"
)

// A shown is the monitor of a refinement. It stores all observations. After each observation it searches for
// a run of the page with the same observations.
type shown struct {
	see      func(model.Observation) (model.Observation, bool)
	explains func(seen []model.Observation) bool

	Seen []model.Observation
}

// Observe searches for a run of the page.
func (x *shown) Observe(w model.Watch, o model.Observation) {
	o, ok := x.see(o)
	if !ok {
		return
	}
	w.Witness()
	x.Seen = append(x.Seen, model.Observation{Kind: o.Kind, Node: o.Node, Op: o.Op, Value: o.Value})
	if !x.explains(x.Seen) {
		w.Violate("no run of the page shows this")
	}
}

// refines returns a function that makes a refinement's monitor. The monitors share a cache of results.
func refines(r model.Refinement) func(s *model.System) model.Monitor {
	known := map[string]bool{}
	return func(s *model.System) model.Monitor {
		return &shown{see: r.See, explains: func(seen []model.Observation) bool {
			key := fmt.Sprintf("%#v", seen)
			is, asked := known[key]
			if !asked {
				is = explained(r, s, seen)
				known[key] = is
			}
			return is
		}}
	}
}

// A pageSearch is a search for a run of a page that shows a list of observations.
type pageSearch struct {
	model.Refinement
	page *model.System
	met  map[string]bool
}

// mostStates is the maximum number of a page's states for one list.
const mostStates = 400

// explained reports whether some run of the page shows a list, possibly with further observations in its last
// step.
func explained(r model.Refinement, s *model.System, seen []model.Observation) bool {
	page, err := r.Beside(s)
	if err != nil {
		model.Refuse("%v", err)
	}
	codec, err := value.New(page)
	if err != nil {
		model.Refuse("%v", err)
	}
	t := pageSearch{r, page, map[string]bool{}}
	for answers, more := []int(nil), true; more; {
		asked := 0
		w, err := world.Start(page, codec, nil, world.Options{Boot: func(int, string) int {
			if asked++; asked > len(answers) {
				return 0
			}
			return answers[asked-1]
		}})
		if err != nil {
			model.Refuse("%v", err)
		}
		if t.goesOn(w, w.Began, seen) {
			return true
		}
		var all []world.Choice
		for _, b := range w.Boot {
			all = append(all, b.Choice)
		}
		answers, more = nextAnswers(all)
	}
	return false
}

// goesOn reports whether a run with new observations can show the rest of a list.
func (t pageSearch) goesOn(w *world.World, observed, rest []model.Observation) bool {
	for _, o := range observed {
		switch {
		case !t.Shows(o):
			continue
		case len(rest) == 0:
			return true
		case o.Kind != rest[0].Kind || o.Node != rest[0].Node || !alike(o.Value, rest[0].Value):
			return false
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return true
	}
	key := fmt.Sprintln(len(rest), strings.Join(w.State(), "\n"))
	if t.met[key] {
		return false
	}
	if t.met[key] = true; len(t.met) > mostStates {
		model.Refuse("the page is too large for brute force")
	}
	return slices.ContainsFunc(t.next(w, rest[0]), func(s result) bool { return t.goesOn(s.world, s.observed, rest) })
}

// A result is a step with its observations.
type result struct {
	world    *world.World
	observed []model.Observation
}

// next returns the results of all steps. At a node without a script it includes the observed invocation.
func (t pageSearch) next(w *world.World, seen model.Observation) (all []result) {
	for i := range moves(w) {
		all = append(all, t.every(func() (*world.World, step, bool) { return w.Fork(), step{move: i}, true })...)
	}
	kinds := map[model.ObservationKind]model.EventKind{model.Invoked: model.Invoke, model.Released: model.Release}
	kind, input := kinds[seen.Kind]
	if !input || int(seen.Node) >= len(t.page.Nodes) {
		return all
	}
	return append(all, t.every(func() (*world.World, step, bool) {
		f := w.Fork()
		m, ok := f.Drive(kind, seen.Node, seen.Op, seen.Value)
		return f, step{move: slices.IndexFunc(moves(f), func(x world.Move) bool { return x.Event == m.Event })}, ok
	})...)
}

// every executes a step with all combinations of its handlers' answers. It omits steps beyond a cut.
func (t pageSearch) every(from func() (*world.World, step, bool)) (all []result) {
	var answers []int
	for more := true; more; {
		w, s, ok := from()
		if !ok {
			return all
		}
		s.answers = answers
		record, given, err := takeStep(w, s)
		if err == nil {
			all = append(all, result{w, record.Observations})
		}
		answers, more = nextAnswers(given)
	}
	return all
}
