package search

import (
	"maps"
	"strings"
	"testing"
	"time"

	"contend/checker/search/storage/faulty"
	"contend/model"
	"contend/model/guard"
)

// An idler is a node that is told nothing by a failure detector, and sets no alarm.
type idler struct{ S int }

func (q *idler) Receive(env model.Env, from model.NodeID, m any) { q.S++; env.Send(from, "yes") }
func (q *idler) Timeout(model.Env, any)                          {}

// A search says of each handler that a type of node has whether any run calls it: not of Invoke where no operation is
// listed, nor of Suspect where no node goes down.
func TestHandlersThatRan(t *testing.T) {
	ask := scripted{
		start:  func(_ *scripted, env model.Env) { env.After("k", model.Anytime()) },
		invoke: func(_ *scripted, env model.Env, _ any) { env.Send(1, "are you there?") },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
			env.Return(nil)
		},
	}
	with := func(nodes ...model.NodeSpec) *model.System {
		s := system(nodes...)
		s.Detector = model.Detector{Kind: model.Perfect, Report: model.Anytime()}
		return s
	}
	server := model.NodeSpec{Name: "q", Role: model.Server, New: func() model.Node { return &idler{} }}
	crashes := with(client("c", ask, "go"), server)
	crashes.Faults.Restarts, crashes.Network.Once = 1, true
	alone := scripted{}
	for name, c := range map[string]struct {
		s    *model.System
		want map[string]bool
	}{
		"all": {with(client("c", ask, "go"), server), map[string]bool{
			"search.scripted.Invoke": true, "search.scripted.Receive": true, "search.scripted.Timeout": true, "search.idler.Receive": true, "search.idler.Timeout": false}},
		"a crash": {crashes, map[string]bool{
			"search.scripted.Invoke": true, "search.scripted.Receive": true, "search.scripted.Timeout": true, "search.scripted.Suspect": true,
			"search.idler.Receive": true, "search.idler.Timeout": false}},
		"nothing happens": {with(client("c", alone), server), map[string]bool{
			"search.scripted.Receive": false, "search.scripted.Timeout": false, "search.idler.Receive": false, "search.idler.Timeout": false}},
	} {
		if r := explore(t, c.s, Options{Symmetry: true, Stale: true}, never(9)); !maps.Equal(r.Handlers, c.want) {
			t.Errorf("%s: %v, want %v", name, r.Handlers, c.want)
		}
		stopped := maps.Clone(c.want)
		maps.DeleteFunc(stopped, func(_ string, ran bool) bool { return !ran })
		if r := explore(t, c.s, Options{MaxStates: 1}, never(9)); !r.Complete && len(r.Handlers) > len(stopped) {
			t.Errorf("%s, stopped: %v", name, r.Handlers)
		}
	}
}

// A search that was resumed does not know what ran before.
func TestHandlersThatRanBefore(t *testing.T) {
	s := system(client("c", scripted{invoke: func(_ *scripted, env model.Env, _ any) { env.Return(nil) }}, "go", "again"))
	disk := &faulty.FS{}
	now := time.Unix(0, 0)
	opt := Options{Checkpoint: kept, files: disk, every: 1, Now: func() time.Time { now = now.Add(1); return now }, MaxStates: 2}
	if r, err := Run(s, []model.Claim{never(9)}, pure(opt)); err != nil || r.Handlers == nil {
		t.Fatalf("%v, %v", r, err)
	}
	opt.Resume, opt.MaxStates = true, 0
	if r, err := Run(s, []model.Claim{never(9)}, pure(opt)); err != nil || r.Handlers != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// The handler that runs is shown while it runs, and what a monitor does, too.
func TestWhatRunsIsShown(t *testing.T) {
	cell := &guard.Cell{}
	shown := ""
	s := system(server("s", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 1) },
		receive: func(*scripted, model.Env, model.NodeID, any) {
			if now := cell.Now(); now != nil {
				shown = now.Who.Describe()
			}
		},
	}))
	explore(t, s, Options{Running: cell}, never(1))
	if !strings.Contains(shown, "Receive") {
		t.Errorf("while it receives %q is shown", shown)
	}
}
