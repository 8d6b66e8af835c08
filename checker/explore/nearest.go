package explore

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"contend/checker"
	"contend/checker/explore/predicate"
	"contend/model"
	"contend/traces"
	"contend/traces/walk"
)

// Bounds of a search for a state.
const (
	nearStates = 100_000
	seekTime   = time.Minute
	seekMemory = 2 << 30
)

// A nearestRequest is a request for the nearest state of a predicate.
type nearestRequest struct {
	placeRequest
	Where string `json:"where"`
	From  string `json:"from"` // "here" or "start"
}

// A nearestResult is the result of a search for a state.
type nearestResult struct {
	Found bool   `json:"found"`
	Place string `json:"place"`
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

// A nearestProgress is the progress of a search for a state.
type nearestProgress struct {
	States int64 `json:"states"`
	Steps  int   `json:"steps"`
}

// nearest searches for the nearest state of a predicate, and streams its progress. It ends with the request.
func (s *Server) nearest(w http.ResponseWriter, r *http.Request) {
	var in nearestRequest
	err := read(r, &in)
	var p *predicate.Predicate
	if err == nil {
		p, err = predicate.Parse(s.system, in.Where)
	}
	if err == nil && in.From != "here" && in.From != "start" {
		err = fmt.Errorf("from is %.40q, but must be here or start", in.From)
	}
	if err != nil {
		refuse(w, err)
		return
	}
	s.exclusive(w, r, func(tell *stream, stop context.Context) any {
		k := &nearestSearch{s: s, p: p, tell: tell, stop: stop}
		var out nearestResult
		var err error
		if in.From == "here" {
			out, err = k.searchFrom(in.Place)
		} else {
			out, err = k.exhaustive(nil, 0)
		}
		if err != nil {
			out.Error = model.Printable(err.Error())
		}
		return out
	})
}

// exclusive runs a long computation and streams its result. It refuses if another one is running.
func (s *Server) exclusive(w http.ResponseWriter, r *http.Request, run func(tell *stream, stop context.Context) any) {
	if !s.seeks.TryLock() {
		reply(w, http.StatusConflict, map[string]string{"error": "a search is under way; stop it first"})
		return
	}
	defer s.seeks.Unlock()
	tell := newStream(w, s.writing)
	defer func() {
		if p := recover(); p != nil {
			tell.end(map[string]string{"error": fmt.Sprintf("internal error: %v", p)})
		}
	}()
	tell.end(run(tell, r.Context()))
}

// A nearestSearch is a search for a state.
type nearestSearch struct {
	s         *Server
	p         *predicate.Predicate
	tell      *stream
	stop      context.Context
	undefined atomic.Int64 // states in which the predicate fails to evaluate
	reason    atomic.Value // error of some such state
}

// holds evaluates the predicate. A failed evaluation counts as false.
func (k *nearestSearch) holds(nodes []model.Node) bool {
	holds, err := k.p.Holds(nodes)
	if err != nil {
		k.undefined.Add(1)
		k.reason.Store(err.Error())
	}
	return holds
}

// caveat returns a sentence about failed evaluations, or "".
func (k *nearestSearch) caveat() string {
	if k.undefined.Load() == 0 {
		return ""
	}
	return fmt.Sprintf(" In some states the predicate cannot be evaluated (%s); they do not count.", k.reason.Load())
}

// searchFrom searches from a place.
func (k *nearestSearch) searchFrom(place string) (out nearestResult, err error) {
	w, err := k.s.walk(place)
	if err != nil {
		return out, err
	}
	if k.holds(states(w)) {
		return nearestResult{true, w.Place().String(), "It holds here.", ""}, nil
	}
	bare, err := k.s.unwatched(w)
	if err != nil {
		return out, err
	}
	if k.s.Header.Timed() {
		return k.timed(w.Steps(), bare)
	}
	behind, err := bare.Trace()
	if err != nil {
		return out, err
	}
	return k.exhaustive(&checker.From{Trace: behind, Steps: len(behind.Steps), File: "the run so far"}, w.Steps())
}

// states returns the states of the nodes at a walk's place, by id; nil for a node that is down or Byzantine.
func states(w *walk.Walk) []model.Node {
	world := w.Run().World
	nodes := make([]model.Node, len(world.System.Nodes))
	for i := range nodes {
		nodes[i] = world.Status(model.NodeID(i)).State
	}
	return nodes
}

// unwatched returns a walk along the same run without monitors. Monitors distinguish states that are equal to
// a predicate.
func (s *Server) unwatched(w *walk.Walk) (*walk.Walk, error) {
	way, err := w.Trace()
	if err != nil {
		return nil, err
	}
	p, header := *s.Protocol, s.Header
	p.Claims, p.Properties, header.Watched = nil, nil, nil
	return walk.BeginAlong(&p, &header, nil, way)
}

// timed searches from a timed walk's place with the interpreter. An exhaustive search can only begin after an
// untimed run.
func (k *nearestSearch) timed(before int, bare *walk.Walk) (out nearestResult, err error) {
	timely, over := context.WithTimeout(k.stop, seekTime)
	defer over()
	got := bare.Nearest(walk.Seeking{Holds: k.holds, States: nearStates, Stop: timely.Done(), Tell: func(states, steps int) {
		k.tell.progress(nearestProgress{int64(states), steps})
	}})
	if !got.Found {
		return nearestResult{Text: fmt.Sprintf("Inconclusive: %s searched, up to %s from here, each step as early as possible", plural(got.States, "state"), plural(got.Steps, "step")) +
			"; the condition holds in none of them. Search from the beginning for a verdict." + k.caveat()}, nil
	}
	for _, c := range got.Place[len(bare.Place()):] {
		if err := bare.Go(c); err != nil {
			return out, err
		}
	}
	way, err := bare.Trace()
	if err != nil {
		return out, err
	}
	return k.success(way, before, got.States)
}

// success returns the result for a run that ends in a matching state.
func (k *nearestSearch) success(way *traces.Trace, before, states int) (out nearestResult, err error) {
	w, err := k.s.walkTrace(way)
	if err != nil {
		return out, err
	}
	return nearestResult{true, w.Place().String(), fmt.Sprintf("Found after %s; %s searched.", plural(w.Steps()-before, "step"), plural(states, "state")), ""}, nil
}

// nothingSought is the name of the claim that the predicate never holds.
const nothingSought = "no state is what is looked for"

// exhaustive searches exhaustively, from the beginning or after the first steps of a run. A counterexample of
// the claim that the predicate never holds is a shortest run to a match.
func (k *nearestSearch) exhaustive(from *checker.From, before int) (out nearestResult, err error) {
	s := k.s
	p := *s.Protocol
	p.Properties = append(slices.Clip(p.Properties), model.Claim{Name: nothingSought, Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if k.holds(nodes) {
			return fmt.Errorf("it is found")
		}
		return nil
	}})
	check := s.Check
	check.Claims = []string{nothingSought}
	rows, err := checker.Check(&p, check, checker.Options{
		Timeout: seekTime, MaxMemory: seekMemory, Interrupt: k.stop.Done(), From: from,
		Progress: func(p checker.Progress) { k.tell.progress(nearestProgress{p.Distinct, p.Depth}) },
	})
	if err != nil {
		return out, err
	}
	return k.result(rows[0], before)
}

// result returns the result of an exhaustive search.
func (k *nearestSearch) result(row *checker.Row, before int) (out nearestResult, err error) {
	claim, from := row.Claims[0], "from the beginning"
	if row.From != nil {
		from = "from here"
	}
	bounds := fmt.Sprintf("%s searched, up to %s %s", plural(int(row.States), "state"), plural(row.Depth, "step"), from)
	switch {
	case claim.Counterexample != nil && claim.Name == nothingSought:
		return k.success(claim.Counterexample, before, int(row.States))
	case claim.Verdict == checker.Holds:
		return nearestResult{Text: fmt.Sprintf("No such state can be reached %s: the search is complete%s (%s).%s", from, cut(row), bounds, k.caveat())}, nil
	}
	return nearestResult{Text: fmt.Sprintf("Inconclusive (limit %s): %s; the condition holds in none of them.%s", claim.Limit, bounds, k.caveat())}, nil
}

// cut returns a clause with the cut that the search reached, or "".
func cut(row *checker.Row) string {
	for name, states := range row.Cut {
		if states > 0 {
			return fmt.Sprintf(" up to the cut %s", name)
		}
	}
	return ""
}

// plural formats a number with a noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
