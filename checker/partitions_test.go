package checker

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"contend/checker/search"
	"contend/checker/search/parts"
	"contend/checker/watch"
	"contend/model"
)

// A pair is an exchange of two parts in one process; over is closed when the second one ends.
type pair struct {
	mu      sync.Mutex
	answers [2]func(from int, what parts.Kind, question []byte) []byte
	over    chan struct{}
}

type pairEnd struct {
	*pair
	number int
}

func (e pairEnd) Part() (int, int) { return e.number, 2 }

func (e pairEnd) Answer(by func(from int, what parts.Kind, question []byte) []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.answers[e.number] = by
}

func (e pairEnd) Ask(to int, what parts.Kind, question []byte) ([]byte, error) {
	e.mu.Lock()
	by := e.answers[to]
	e.mu.Unlock()
	said := make(chan []byte, 1)
	go func() { said <- by(e.number, what, question) }()
	select {
	case answer := <-said:
		return answer, nil
	case <-e.over:
		return nil, errors.New("it ended")
	}
}

// pairCrew starts the second part in this process, with a protocol of its own.
type pairCrew struct {
	job   PartJob
	suite []*model.Protocol
	dir   func() string
	ended chan error // why each second part ended
}

func (c *pairCrew) Gather(error) (parts.Exchange, parts.Store, error) {
	p := &pair{over: make(chan struct{})}
	ready := make(chan struct{})
	go func() {
		err := Follow(c.suite, c.job, c.dir(), pairEnd{p, 1}, nil, func() error { close(ready); select {} })
		close(p.over)
		c.ended <- err
	}()
	<-ready
	return pairEnd{p, 0}, nil, nil
}

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
	crew := &pairCrew{suite: []*model.Protocol{beginsAnywhere(func() { <-endless })}, dir: func() string { return t.TempDir() + "/part" }, ended: make(chan error, 100)}
	opt := Options{Workers: 1, Partitions: Partitions{Of: 2, Crew: func(job PartJob, _, _ string) (parts.Crew, func(bool), error) {
		crew.job = job
		return crew, func(bool) {}, nil
	}}}
	rows, err := Check(beginsAnywhere(func() {}), model.Check{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if row := rows[0]; row.Limit != search.PartLost || row.Claims[0].Verdict != Inconclusive {
		t.Fatalf("limit %q, %+v, %d states, %q", row.Limit, row.Claims[0], row.States, row.Notes)
	}
	var stuck watch.Endless
	if err := <-crew.ended; !errors.As(err, &stuck) || !strings.Contains(stuck.Handler, "Receive of p on 0") {
		t.Errorf("the part ended with %v", err)
	}
}
