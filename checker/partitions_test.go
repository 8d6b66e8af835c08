package checker

import (
	"errors"
	"strings"
	"testing"
	"time"

	"contend/checker/search"
	"contend/checker/search/parts"
	"contend/checker/watch"
	"contend/lab/together"
	"contend/model"
)

// A chooser begins in one of many states, and goes on in each.
type chooser struct {
	does  func()
	State int
}

func (n *chooser) Start(env model.Env) {
	n.State = env.Choose(300)
	env.Send(env.Self(), 0)
}

func (n *chooser) Invoke(env model.Env, _ any) { env.Return(nil) }

func (n *chooser) Receive(model.Env, model.NodeID, any) {
	n.does()
	n.State = -1
}

func (*chooser) Timeout(model.Env, any) {}

func beginsAnywhere(does func()) *model.Protocol {
	return &model.Protocol{
		Name: "begins",
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Network: model.Network{Delay: model.By(1)}, Types: []any{0}, Nodes: []model.NodeSpec{
				{Name: "p", Role: model.Peer, New: func() model.Node { return &chooser{does: does} }},
			}}, nil
		},
		Claims: []model.Claim{{Name: "silent", Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &listener{} }}},
	}
}

// A part of a search in which a handler does not return ends, and names it. The search does not wait for the part for ever.
func TestEndlessHandlersOfParts(t *testing.T) {
	endless := make(chan struct{})
	t.Cleanup(func() { close(endless) })
	impatient(t, 200*time.Millisecond)
	suite, ended := []*model.Protocol{beginsAnywhere(func() { <-endless })}, make(chan error, 100)
	opt := Options{Workers: 1, Partitions: Partitions{Of: 2, Crew: func(job PartJob, _, _ string) (parts.Crew, func(bool), error) {
		return &together.Crew{Parts: 2, Follow: func(_ int, ex parts.Exchange, ready func() error) error {
			err := Follow(suite, job, t.TempDir()+"/part", ex, nil, ready)
			ended <- err
			return err
		}}, func(bool) {}, nil
	}}}
	rows, err := Check(beginsAnywhere(func() {}), model.Check{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if row := rows[0]; row.Limit != search.PartLost || row.Claims[0].Verdict != Inconclusive {
		t.Fatalf("limit %q, %+v, %d states, %q", row.Limit, row.Claims[0], row.States, row.Notes)
	}
	var stuck watch.Endless
	if err := <-ended; !errors.As(err, &stuck) || !strings.Contains(stuck.Handler, "Receive of p on 0") {
		t.Errorf("the part ended with %v", err)
	}
}
