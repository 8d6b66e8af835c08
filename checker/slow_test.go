package checker_test

import (
	"slices"
	"testing"

	"contend/impl/backoff"
	"contend/model"
	"contend/model/world"
)

// A client that contends alone, in a run that is stable from the start, is denied by two
// servers that are slow to it, try after try: see docs/proofs/section5.md, "Corollary 2
// under the paper's own definition".
func TestSlowServersKeepAClientOut(t *testing.T) {
	const tries = 16
	s, err := backoff.Protocol.System("", model.Config{N: 5, Network: model.StableNetwork}.With(model.Quorum.Is(3), model.Clients.Is(1), model.Ops.Is(2), backoff.Tries.Is(tries)))
	if err != nil {
		t.Fatal(err)
	}
	w, err := world.New(s, nil, world.Options{Timed: true})
	if err != nil {
		t.Fatal(err)
	}
	r := &scheduled{t: t, w: w, client: 5}
	timely := []model.NodeID{2, 3, 4}
	r.fire(model.Invoke)
	for _, u := range timely {
		r.asks(u)
		r.answers(u)
	}
	r.fire(model.Return)
	r.fire(model.Invoke)
	for _, u := range timely { // its own leases
		r.asks(u)
		r.answers(u)
	}
	for k := range tries - 1 {
		r.fire(model.Timeout)
		slow := model.NodeID(k % 2)
		r.old(slow)
		r.asks(slow)
		r.answers(slow)
		for _, u := range timely {
			r.asks(u)
			r.answers(u)
		}
	}
	if got := backoff.Broadcasts(w.Live(r.client)); got != tries || w.Done() {
		t.Errorf("after %d tries the client is done: %v", got, w.Done())
	}
}

// scheduled takes the steps of a run, each as early as it can be.
type scheduled struct {
	t      *testing.T
	w      *world.World
	client model.NodeID
}

func (r *scheduled) step(e *world.Event) {
	r.t.Helper()
	at, _, ok := r.w.Fires(e)
	if !ok {
		r.t.Fatalf("%v at %d cannot happen", e.Kind, e.Node)
	}
	if _, err := r.w.Step(world.Move{Kind: e.Kind, Event: e}, at, func(int, string) int { return 0 }); err != nil {
		r.t.Fatal(err)
	}
}

func (r *scheduled) pending(kind model.EventKind, from, to model.NodeID) []*world.Event {
	r.t.Helper()
	list := slices.DeleteFunc(r.w.Pending(), func(e *world.Event) bool {
		return e.Kind != kind || e.Node != to || kind == model.Deliver && e.From != from
	})
	if len(list) == 0 {
		r.t.Fatalf("no %v from %d to %d", kind, from, to)
	}
	return list
}

// fire lets an event of the client happen.
func (r *scheduled) fire(kind model.EventKind) { r.step(r.pending(kind, 0, r.client)[0]) }

// asks delivers the client's latest try to a server, old the oldest one, answers the latest
// answer.
func (r *scheduled) asks(u model.NodeID) {
	list := r.pending(model.Deliver, r.client, u)
	r.step(list[len(list)-1])
}

func (r *scheduled) old(u model.NodeID) { r.step(r.pending(model.Deliver, r.client, u)[0]) }

func (r *scheduled) answers(u model.NodeID) {
	list := r.pending(model.Deliver, u, r.client)
	r.step(list[len(list)-1])
}
