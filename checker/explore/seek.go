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
		reply(w, http.StatusBadRequest, map[string]string{"error": model.Printable(err.Error())})
		return
	}
	s.alone(w, r, func(tell *stream, stop context.Context) any {
		k := &seek{s: s, p: p, tell: tell, stop: stop}
		var out sought
		var err error
		if in.From == "here" {
			out, err = k.near(in.Place)
		} else {
			out, err = k.far()
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
	from := w.Steps()
	timely, over := context.WithTimeout(k.stop, seekTime)
	defer over()
	got := w.Nearest(walk.Seeking{Holds: k.holds, States: nearStates, Stop: timely.Done(), Tell: func(states, steps int) {
		k.tell.progress(looked{int64(states), steps})
	}})
	bounds := fmt.Sprintf("%s up to %s from here were looked at", counted(got.States, "state"), counted(got.Steps, "step"))
	if k.s.Header.Timed() {
		bounds += ", each step as early as may be"
	}
	switch {
	case got.Found && len(got.Place) == from:
		return sought{true, got.Place.String(), "It holds here.", ""}, nil
	case got.Found:
		return sought{true, got.Place.String(), fmt.Sprintf("Found, %s from here: %s.", counted(len(got.Place)-from, "step"), bounds), ""}, nil
	case got.Complete:
		return sought{Text: "No such state can be reached from here: " + bounds + ", and there are no others." + k.caveat()}, nil
	}
	return sought{Text: "Inconclusive: " + bounds + ", and it holds in none. A search from the beginning goes further." + k.caveat()}, nil
}

// nothingSought is the name of the claim that no state is what is looked for.
const nothingSought = "no state is what is looked for"

// far looks from the beginning, by an exhaustive search: a run that breaks the claim that there is no such
// state is a shortest way to one.
func (k *seek) far() (out sought, err error) {
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
		Timeout: seekTime, MaxMemory: seekMemory, Interrupt: k.stop.Done(),
		Progress: func(p checker.Progress) { k.tell.progress(looked{p.Distinct, p.Depth}) },
	})
	if err != nil {
		return out, err
	}
	return k.came(rows[0])
}

// came says what came of a search from the beginning.
func (k *seek) came(row *checker.Row) (out sought, err error) {
	claim := row.Claims[0]
	bounds := fmt.Sprintf("%s up to %s from the beginning were looked at", counted(int(row.States), "state"), counted(row.Depth, "step"))
	switch {
	case claim.Counterexample != nil && claim.Name == nothingSought:
		w, err := k.s.along(claim.Counterexample)
		if err != nil {
			return out, err
		}
		return sought{true, w.Place().String(), fmt.Sprintf("Found, %s from the beginning: %s.", counted(w.Steps(), "step"), bounds), ""}, nil
	case claim.Verdict == checker.Holds:
		return sought{Text: "No such state can be reached: " + bounds + ", and there are no others within these bounds" + cut(row) + "." + k.caveat()}, nil
	}
	return sought{Text: fmt.Sprintf("Inconclusive (limit %s): %s, and it holds in none.%s", claim.Limit, bounds, k.caveat())}, nil
}

// cut says where a search was cut.
func cut(row *checker.Row) string {
	for name, states := range row.Cut {
		if states > 0 {
			return fmt.Sprintf("; beyond the cut %s nothing was looked at", name)
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
