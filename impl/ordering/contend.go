package ordering

import (
	"math"
	"slices"

	"contend/impl/backoff"
	"contend/model"
)

// contends are the implementations of contend besides the abstract one.
var contends = []model.Variant{
	{
		Name: "stabilizing", Title: "contend() keeps clients apart, except for --attempts overlaps in a run; Q₁ is U, channels are FIFO",
		Edit: stabilize, Show: model.Check{Config: model.Config{N: 2}.With(Attempts.Is(1)), Claims: progress},
	},
	{
		Name: "composed", Title: "contend() is the protocol of Figure 1, with the same servers",
		Edit: compose, Unclaimed: []string{"Theorem 2, bounded"},
		Show: model.Check{Config: model.Config{N: 2}.With(model.Clients.Is(1), backoff.Section.Is(6)), Reading: model.Grid, Claims: timedProgress},
	},
	{
		Name: "composed-truncated", Title: "as composed, but backoffs stop growing after --tries broadcasts: finite without that cut",
		Edit: composeFinite, Unclaimed: []string{"Theorem 2, bounded"},
		Show: model.Check{Config: model.Config{N: 1}.With(backoff.Section.Is(6), Attempts.Is(4)), Reading: model.Grid, Claims: timedProgress},
	},
}

// progress are the claims of Theorem 2. With a timed contend they do not bound the passages of an operation, because
// overlaps are not counted.
var (
	progress      = append([]string{"Theorem 2, bounded"}, timedProgress...)
	timedProgress = []string{"Theorem 2", "Theorem 2, reliable", "Theorem 2, eventually"}
)

// A contending environment replaces the alarm that stands for the abstract contend. When the ordering client sets the
// alarm, After calls contend instead. The end of contend stands for the alarm.
type contending struct {
	model.Env
	contend func()
}

func (c contending) After(any, model.Window) { c.contend() }

// compose implements contend by the protocol of Figure 1. It is timed: Δ must be long enough for a passage, three round
// trips, 6δ.
func compose(s *model.System) {
	composeWith(s, broadcasts(s), math.MaxInt)
}

// composeFinite is compose with backoffs that stop growing after --tries broadcasts.
func composeFinite(s *model.System) {
	tries := broadcasts(s)
	composeWith(s, tries, max(tries-1, 1))
}

// broadcasts returns the bound on a contend's broadcasts, and stores it in the configuration. The bound matters only
// for the contend of Figure 1.
func broadcasts(s *model.System) int {
	tries := backoff.Tries.Of(s.Config)
	s.Config = s.Config.With(backoff.Tries.Is(tries))
	return tries
}

func composeWith(s *model.System, tries, last int) {
	cfg := setup(s)
	mutex := s.Config.With(model.Quorum.Is(0)) // the inner protocol has its own quorum system
	inner, err := backoff.Configure(&mutex)
	if err != nil {
		panic(err) // n > 6b servers suffice for the inner protocol
	}
	inner.Servers = cfg.Servers
	inner.Truncate(last)
	s.Types = slices.Concat(s.Types, backoff.Types)
	s.Stable = true
	if last == math.MaxInt {
		s.Cuts = append(s.Cuts, model.Cut{Name: "tries", Beyond: func(n model.Node) bool {
			c, ok := n.(*composedClient)
			return ok && backoff.Broadcasts(&c.Mutex) > tries
		}})
	}
	forge := s.Forge
	s.Forge = func(receiver model.Node, to, from model.NodeID) []any {
		out := forge(receiver, to, from)
		if c, ok := receiver.(*composedClient); ok {
			for _, m := range backoff.Forge(&c.Mutex, to, from) {
				out = append(out, model.Inner{Tag: tag, Value: m})
			}
		}
		return out
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		make := n.New
		n.New = func() model.Node {
			if n.Role == model.Server {
				return &composedServer{*editableServer(make()), *inner.Server()}
			}
			return &composedClient{*editable(make()), *inner.Truncated(last)}
		}
	}
}

// tag marks the messages and alarms of the inner protocol.
const tag = "contend"

type composedClient struct {
	EditedClient
	Mutex backoff.TruncatedClient
}

func (c *composedClient) inner(env model.Env) model.Env {
	return model.Within(env, tag, func(any) { c.EditedClient.Timeout(c.outer(env), contended{}) })
}

func (c *composedClient) outer(env model.Env) model.Env {
	return contending{env, func() { c.Mutex.Invoke(c.inner(env), backoff.Contend{}) }}
}

func (c *composedClient) Invoke(env model.Env, call any) { c.EditedClient.Invoke(c.outer(env), call) }

func (c *composedClient) Receive(env model.Env, u model.NodeID, m any) {
	if in, ok := m.(model.Inner); ok {
		c.Mutex.Receive(c.inner(env), u, in.Value)
		return
	}
	c.EditedClient.Receive(c.outer(env), u, m)
}

func (c *composedClient) Timeout(env model.Env, key any) {
	c.Mutex.Timeout(c.inner(env), key.(model.Inner).Value)
}

type composedServer struct {
	EditedServer
	Mutex backoff.Server
}

func (s *composedServer) Receive(env model.Env, c model.NodeID, m any) {
	if in, ok := m.(model.Inner); ok {
		s.Mutex.Receive(model.Within(env, tag, nil), c, in.Value)
		return
	}
	s.EditedServer.Receive(env, c, m)
}

// stabilize makes runs stable at some time, untimed and finite. At most --attempts times in a run, contend admits a
// client while another is inside. After that it keeps clients apart. Operations are submitted to U, a quorum, too.
// Messages arrive in the order sent. So every passage receives an answer of a server that has answered an operation in
// a complete version. Without losses, no run reaches the cut, as the verdict shows.
func stabilize(s *model.System) {
	setup(s).Submit.Size = len(setup(s).Servers)
	s.Stable = s.Faults.Crashes == 0 // a client that crashes inside keeps the others out
	door, overlaps := model.NodeID(len(s.Nodes)), Attempts.Of(s.Config)
	most := overlaps + enough
	s.Cuts = []model.Cut{{Name: "attempts", Beyond: func(n model.Node) bool { return passages(n) > most+1 }}}
	s.Network.Channel = model.FIFO
	s.Types = append(slices.Clone(s.Types), enter{}, leave{})
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if make := n.New; n.Role == model.Client {
			n.New = func() model.Node {
				made := make()
				if c := editable(made); c != nil {
					return &stableClient{EditedClient: *c, door: door, most: most}
				}
				return made // a client that has departed
			}
		}
	}
	s.Nodes = append(s.Nodes, model.NodeSpec{
		Name: "contend", Role: model.Server,
		New: func() model.Node { return &Door{Overlaps: overlaps} },
	})
}

// enough is the number of passages that an operation may need besides the passages that overlaps spoil.
const enough = 4

type (
	enter struct{} // asks for entry, and grants it
	leave struct{}
)

// A Door implements contend in a run that becomes stable.
type Door struct {
	Overlaps int // the number of times that it may still admit one client too many
	Inside   []model.NodeID
	Waiting  []model.NodeID
}

// Receive admits clients, and removes clients that leave.
func (d *Door) Receive(env model.Env, c model.NodeID, m any) {
	switch m.(type) {
	case enter:
		if len(d.Inside) > 0 && d.Overlaps == 0 {
			d.Waiting = append(d.Waiting, c)
			return
		}
		if len(d.Inside) > 0 {
			d.Overlaps--
		}
		d.let(env, c)
	case leave:
		d.Inside = slices.DeleteFunc(d.Inside, func(in model.NodeID) bool { return in == c })
		if len(d.Inside) == 0 && len(d.Waiting) > 0 {
			next := d.Waiting[0]
			d.Waiting = slices.Delete(d.Waiting, 0, 1)
			d.let(env, next)
		}
	}
}

func (d *Door) let(env model.Env, c model.NodeID) {
	d.Inside = append(d.Inside, c)
	slices.Sort(d.Inside)
	env.Send(c, enter{})
}

type stableClient struct {
	EditedClient
	door   model.NodeID
	most   int // passages that an operation may take
	Inside bool
}

func (c *stableClient) outer(env model.Env) model.Env {
	return contending{env, func() {
		c.exit(env)
		env.Send(c.door, enter{})
	}}
}

func (c *stableClient) exit(env model.Env) {
	if c.Inside {
		env.Send(c.door, leave{})
		c.Inside = false
	}
}

func (c *stableClient) Invoke(env model.Env, call any) { c.EditedClient.Invoke(c.outer(env), call) }

func (c *stableClient) Receive(env model.Env, u model.NodeID, m any) {
	if _, ok := m.(enter); ok {
		c.Inside = true
		c.EditedClient.Timeout(c.outer(env), contended{})
		return
	}
	c.EditedClient.Receive(c.outer(env), u, m)
	if c.Phase == 0 {
		c.exit(env)
	}
}
