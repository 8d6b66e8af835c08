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

// How far a search for a state goes: from where one is, and from the beginning.
const (
	nearStates = 100_000
	seekTime   = time.Minute
	seekMemory = 2 << 30
)

// seeking is a request for the nearest state of which a predicate holds.
type seeking struct {
	placed
	Where string `json:"where"`
	From  string `json:"from"` // "here" or "start"
}

// sought is what came of it. Text is a sentence.
type sought struct {
	Found bool   `json:"found"`
	Place string `json:"place"`
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

// looked is how far a search for a state is.
type looked struct {
	States int64 `json:"states"`
	Steps  int   `json:"steps"`
}

// nearest looks for the nearest state of which a predicate holds, and tells of it as it goes. It ends
// when the page does.
func (s *Server) nearest(w http.ResponseWriter, r *http.Request) {
	var in seeking
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
	s.alone(w, r, func(tell *stream, stop context.Context) any {
		k := &seek{s: s, p: p, tell: tell, stop: stop}
		var out sought
		var err error
		if in.From == "here" {
			out, err = k.near(in.Place)
		} else {
			out, err = k.exhaustive(nil, 0)
		}
		if err != nil {
			out.Error = model.Printable(err.Error())
		}
		return out
	})
}

// alone runs what takes its time, if nothing else does, and tells the page what it comes to.
func (s *Server) alone(w http.ResponseWriter, r *http.Request, run func(tell *stream, stop context.Context) any) {
	if !s.seeks.TryLock() {
		reply(w, http.StatusConflict, map[string]string{"error": "a search is under way; stop it first"})
		return
	}
	defer s.seeks.Unlock()
	tell := newStream(w)
	defer func() {
		if p := recover(); p != nil {
			tell.end(map[string]string{"error": fmt.Sprintf("internal error: %v", p)})
		}
	}()
	tell.end(run(tell, r.Context()))
}

// seek is a search for a state.
type seek struct {
	s      *Server
	p      *predicate.Predicate
	tell   *stream
	stop   context.Context
	unsaid atomic.Int64 // states of which the predicate cannot be said
	why    atomic.Value // why, of one of them
}

// holds asks the predicate. A state of which it cannot be said is not what is looked for.
func (k *seek) holds(nodes []model.Node) bool {
	is, err := k.p.Holds(nodes)
	if err != nil {
		k.unsaid.Add(1)
		k.why.Store(err.Error())
	}
	return is
}

// caveat says of how many states the predicate cannot be said.
func (k *seek) caveat() string {
	if k.unsaid.Load() == 0 {
		return ""
	}
	return fmt.Sprintf(" In some states the predicate cannot be evaluated (%s); they do not count.", k.why.Load())
}

// near looks from where one is.
func (k *seek) near(place string) (out sought, err error) {
	w, err := k.s.walk(place)
	if err != nil {
		return out, err
	}
	if k.holds(states(w)) {
		return sought{true, w.Place().String(), "It holds here.", ""}, nil
	}
	bare, err := k.s.unwatched(w)
	if err != nil {
		return out, err
	}
	if k.s.Header.Timed() {
		return k.inTime(w.Steps(), bare)
	}
	behind, err := bare.Trace()
	if err != nil {
		return out, err
	}
	return k.exhaustive(&checker.From{Trace: behind, Steps: len(behind.Steps), File: "the run so far"}, w.Steps())
}

// states are those of the nodes where a walk is, by id; nil of a node that is down or Byzantine.
func states(w *walk.Walk) []model.Node {
	is := w.Run().World
	nodes := make([]model.Node, len(is.System.Nodes))
	for i := range nodes {
		nodes[i] = is.Status(model.NodeID(i)).State
	}
	return nodes
}

// unwatched is a walk along the same run on which no claim is watched: what monitors remember tells states
// apart that are one to a predicate.
func (s *Server) unwatched(w *walk.Walk) (*walk.Walk, error) {
	way, err := w.Trace()
	if err != nil {
		return nil, err
	}
	p, header := *s.Protocol, s.Header
	p.Claims, p.Properties, header.Watched = nil, nil, nil
	return walk.BeginAlong(&p, &header, nil, way)
}

// inTime looks from where a timed walk is, with the interpreter: only behind an untimed run can an exhaustive
// search begin.
func (k *seek) inTime(before int, bare *walk.Walk) (out sought, err error) {
	timely, over := context.WithTimeout(k.stop, seekTime)
	defer over()
	got := bare.Nearest(walk.Seeking{Holds: k.holds, States: nearStates, Stop: timely.Done(), Tell: func(states, steps int) {
		k.tell.progress(looked{int64(states), steps})
	}})
	if !got.Found {
		return sought{Text: fmt.Sprintf("Inconclusive: %s searched, up to %s from here, each step as early as possible", counted(got.States, "state"), counted(got.Steps, "step")) +
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
	return k.foundAt(way, before, got.States)
}

// foundAt says that a run ends in such a state, which so many states were searched for behind its first steps.
func (k *seek) foundAt(way *traces.Trace, before, states int) (out sought, err error) {
	w, err := k.s.along(way)
	if err != nil {
		return out, err
	}
	return sought{true, w.Place().String(), fmt.Sprintf("Found after %s; %s searched.", counted(w.Steps()-before, "step"), counted(states, "state")), ""}, nil
}

// nothingSought is the name of the claim that no state is what is looked for.
const nothingSought = "no state is what is looked for"

// exhaustive looks by an exhaustive search, from the beginning or behind a run of so many steps: a run that
// breaks the claim that there is no such state is a shortest way to one.
func (k *seek) exhaustive(from *checker.From, before int) (out sought, err error) {
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
		Progress: func(p checker.Progress) { k.tell.progress(looked{p.Distinct, p.Depth}) },
	})
	if err != nil {
		return out, err
	}
	return k.came(rows[0], before)
}

// came says what came of an exhaustive search.
func (k *seek) came(row *checker.Row, before int) (out sought, err error) {
	claim, from := row.Claims[0], "from the beginning"
	if row.From != nil {
		from = "from here"
	}
	bounds := fmt.Sprintf("%s searched, up to %s %s", counted(int(row.States), "state"), counted(row.Depth, "step"), from)
	switch {
	case claim.Counterexample != nil && claim.Name == nothingSought:
		return k.foundAt(claim.Counterexample, before, int(row.States))
	case claim.Verdict == checker.Holds:
		return sought{Text: fmt.Sprintf("No such state can be reached %s: the search is complete%s (%s).%s", from, cut(row), bounds, k.caveat())}, nil
	}
	return sought{Text: fmt.Sprintf("Inconclusive (limit %s): %s; the condition holds in none of them.%s", claim.Limit, bounds, k.caveat())}, nil
}

// cut says where a search was cut.
func cut(row *checker.Row) string {
	for name, states := range row.Cut {
		if states > 0 {
			return fmt.Sprintf(" up to the cut %s", name)
		}
	}
	return ""
}

// counted says how many of something there are.
func counted(n int, of string) string {
	if n == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", n, of)
}
