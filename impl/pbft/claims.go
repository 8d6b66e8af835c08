package pbft

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"contend/model"
	"contend/model/claims"
	"contend/model/costs"
)

// The notes of replicas.
type (
	// Expired is noted when the timer of a replica expires. It requests View then.
	Expired struct{ View int }
	// Requested is noted when the replica requests a view.
	Requested struct{ View int }
	// BecamePrepared is noted when prepared(m, v, n, i) becomes true.
	BecamePrepared struct{ PrePrepare }
	// BecameCommitted is noted when committed-local(m, v, n, i) becomes true.
	BecameCommitted struct{ PrePrepare }
	// Entered is noted when the replica enters a view with the pre-prepares O.
	Entered struct {
		View int
		O    []PrePrepare
	}
	// Executed is delivered when the replica executes a request, or the null request. Result is its sequence number,
	// and the reply to the client.
	Executed struct {
		Request Digest
		Result  int
	}
)

const (
	source = "Castro–Liskov 1999, "
	proofs = "docs/proofs/pbft.md#"

	safe      = "agreement on sequence numbers"
	unique    = "one request is prepared"
	committed = "CommittedInv"
	kept      = "a new view keeps what is committed"
	ordered   = "requests are executed in one order"
	replies   = "SafetyInv"
	marked    = "no sequence number is above the high water mark"
	unforced  = "a view change needs a correct replica"
	forward   = "a replica enters no earlier view"
	gapless   = "a new view leaves no gaps"
	live      = "all requests are executed"
)

var claimed = []model.Claim{
	{
		Name: safe, Kind: model.Always, Source: source + "§4.2, §4.5.1", Proof: proofs + "safety",
		Monitor: func(*model.System) model.Monitor { return &agreement{} },
	},
	{
		Name: unique, Kind: model.Always, Source: source + "§4.2", Proof: proofs + "prepared",
		Monitor: func(*model.System) model.Monitor { return &uniqueness{} },
	},
	{
		Name: committed, Kind: model.Always, Source: source + "§4.2; pbft.tla", Proof: proofs + "committed",
		Monitor: func(s *model.System) model.Monitor { return &witnesses{f: s.Setup.(*Config).F} },
	},
	vacuous(model.Claim{
		Name: kept, Kind: model.Always, Source: source + "§4.5.1", Proof: proofs + "safety",
		Monitor: func(*model.System) model.Monitor { return &survival{} },
	}, func(c *Config) bool { return c.Views == 1 }, "there is one view"),
	{
		Name: ordered, Kind: model.Always, Source: source + "§4.2", Proof: proofs + "safety", Invariant: inOrder,
	},
	{
		Name: replies, Kind: model.Always, Source: "pbft.tla", Proof: proofs + "replies",
		Monitor: func(s *model.System) model.Monitor { return &decided{f: s.Setup.(*Config).F} },
	},
	{
		Name: marked, Kind: model.Always, Source: source + "§4.2", Proof: proofs + "water-marks", Invariant: belowMark,
	},
	vacuous(model.Claim{
		Name: unforced, Kind: model.Always, Source: source + "§4.5.2", Proof: proofs + "view-changes",
		Monitor: func(*model.System) model.Monitor { return &forced{} },
	}, func(c *Config) bool { return c.Views == 1 }, "there is one view"),
	vacuous(model.Claim{
		Name: forward, Kind: model.Always, Source: source + "§4.4", Proof: proofs + "view-changes",
		Monitor: func(*model.System) model.Monitor { return &order{} },
	}, func(c *Config) bool { return c.Views == 1 }, "there is one view"),
	vacuous(model.Claim{
		Name: gapless, Kind: model.Always, Source: source + "§4.4", Proof: proofs + "view-changes",
		Monitor: func(*model.System) model.Monitor { return &gaps{} },
	}, func(c *Config) bool { return c.Views == 1 || c.Numbers == 1 }, "there is no gap between sequence numbers of a view before the last"),
	{
		Name: "a request is executed", Kind: model.Sometimes, Source: "pbft.tla, AnyRepliesDebugInv",
		Monitor: func(*model.System) model.Monitor { return &executed{all: 1, numbers: 1} },
	},
	vacuous(model.Claim{
		Name: live, Kind: model.Eventually, Source: source + "§4.5.2", Proof: proofs + "liveness",
		Assumes: []model.Assumption{model.NoLoss, model.NoCrash, model.NoMemoryLoss},
		Monitor: func(s *model.System) model.Monitor {
			e := &executed{all: s.Config.N - s.Config.B, numbers: Numbers.Of(s.Config)}
			if badEnd(s.Setup.(*Config)) {
				e.all = 0
			}
			return e
		},
	}, badEnd, "the primary of the last view is faulty"),
}

// costed are the messages of the normal case.
var costed = []*model.Cost{messages()}

func messages() *model.Cost {
	c := costs.Messages()
	c.Name, c.Source = "messages of a request", source+"§4.2"
	c.Check.Config = model.Config{N: 4}.With(Views.Is(1), Requests.Is(1))
	return c
}

// badEnd reports whether the primary of the last view is faulty. Such a primary may stay silent.
func badEnd(c *Config) bool { return c.faulty(c.primary(c.Views - 1)) }

func vacuous(c model.Claim, in func(c *Config) bool, why string) model.Claim {
	return claims.Vacuous(c, func(s *model.System) bool { return in(s.Setup.(*Config)) }, why)
}

// inOrder returns an error unless, of two replicas' executed requests, one list is a prefix of the other.
func inOrder(nodes []model.Node) error {
	for i, n := range nodes {
		for k, m := range nodes[:i] {
			if n == nil || m == nil {
				continue
			}
			a, b := replica(n).Executed, replica(m).Executed
			if l := min(len(a), len(b)); !slices.Equal(a[:l], b[:l]) {
				return fmt.Errorf("r%d has executed %v, and r%d %v", k, b, i, a)
			}
		}
	}
	return nil
}

// belowMark returns an error if a replica has accepted a sequence number above the high water mark.
func belowMark(nodes []model.Node) error {
	for i, n := range nodes {
		if n == nil {
			continue
		}
		r := replica(n)
		if last := slices.Max(append(slices.Collect(maps.Keys(r.Slots)), 0)); last > r.cfg.Numbers {
			return fmt.Errorf("r%d accepts sequence number %d, and the high water mark is %d", i, last, r.cfg.Numbers)
		}
	}
	return nil
}

// forced checks that a replica requests a view only if the timer of a replica has expired, for this view or a later one.
type forced struct{ Expired int } // the highest view for which a timer has expired

func (f *forced) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Expired:
		f.Expired = max(f.Expired, n.View)
	case Requested:
		w.Witness()
		if n.View > f.Expired {
			w.Violate("it requests view %d, and no timer has expired for that view", n.View)
		}
	}
}

// order checks that a replica enters views in increasing order, and none below a view that it has requested.
type order struct{ Least map[model.NodeID]int } // by replica: the lowest view that it may enter

func (e *order) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case Requested:
		e.Least[o.Node] = max(e.Least[o.Node], n.View)
	case Entered:
		w.Witness()
		if n.View < e.Least[o.Node] {
			w.Violate("it enters view %d, and has entered view %d or requested view %d", n.View, e.Least[o.Node]-1, e.Least[o.Node])
		}
		e.Least[o.Node] = n.View + 1
	}
}

// gaps checks that a view begins with a pre-prepare for each sequence number up to the last.
type gaps struct{}

func (*gaps) Observe(w model.Watch, o model.Observation) {
	e, is := o.Value.(Entered)
	if !is {
		return
	}
	for i, p := range e.O {
		w.Witness()
		if p.N != i+1 {
			w.Violate("view %d begins with sequence number %d, and without %d", e.View, p.N, i+1)
			return
		}
	}
}

// agreement checks that no two replicas commit locally different requests with one sequence number, in any views.
type agreement struct{ Requests map[int]Digest }

func (a *agreement) Observe(w model.Watch, o model.Observation) {
	c, is := o.Value.(BecameCommitted)
	if !is {
		return
	}
	w.Witness()
	if d, is := a.Requests[c.N]; is && d != c.Digest {
		w.Violate("it commits request %d with sequence number %d, with which request %d was committed", c.Digest, c.N, d)
	}
	a.Requests[c.N] = c.Digest
}

// sorted returns the members of a set in order. So a violation names the same member each time.
func sorted(set map[PrePrepare]bool) []PrePrepare {
	return slices.SortedFunc(maps.Keys(set), func(a, b PrePrepare) int {
		return cmp.Or(cmp.Compare(a.View, b.View), cmp.Compare(a.N, b.N), cmp.Compare(a.Digest, b.Digest))
	})
}

// uniqueness checks that no two replicas prepare different requests with one sequence number in one view.
type uniqueness struct{ Prepared map[PrePrepare]bool }

func (u *uniqueness) Observe(w model.Watch, o model.Observation) {
	p, is := o.Value.(BecamePrepared)
	if !is {
		return
	}
	w.Witness()
	for _, other := range sorted(u.Prepared) {
		if other.View == p.View && other.N == p.N && other.Digest != p.Digest {
			w.Violate("request %d is prepared in view %d with sequence number %d, as is request %d", p.Digest, p.View, p.N, other.Digest)
		}
	}
	u.Prepared[p.PrePrepare] = true
}

// witnesses checks that committed-local implies committed: f+1 correct replicas have prepared the request.
type witnesses struct {
	f        int
	Prepared map[PrePrepare]int // the number of replicas, at most f+1
}

func (c *witnesses) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case BecamePrepared:
		c.Prepared[n.PrePrepare] = min(c.Prepared[n.PrePrepare]+1, c.f+1)
	case BecameCommitted:
		w.Witness()
		if c.Prepared[n.PrePrepare] <= c.f {
			w.Violate("request %d is committed locally in view %d, but prepared at %d non-faulty replicas", n.Digest, n.View, c.Prepared[n.PrePrepare])
		}
	}
}

// survival checks that each later view begins with all requests that were committed locally.
type survival struct {
	Committed map[PrePrepare]bool
	Begun     map[PrePrepare]bool // the initial pre-prepares of views; the null request with sequence number 0 stands for a view
}

func (s *survival) Observe(w model.Watch, o model.Observation) {
	switch n := o.Value.(type) {
	case BecameCommitted:
		s.Committed[n.PrePrepare] = true
	case Entered:
		s.Begun[PrePrepare{View: n.View}] = true
		for _, p := range n.O {
			s.Begun[p] = true
		}
	default:
		return
	}
	for _, c := range sorted(s.Committed) {
		for _, v := range sorted(s.Begun) {
			if v.N != 0 || v.View <= c.View {
				continue
			}
			w.Witness()
			if !s.Begun[PrePrepare{v.View, c.N, c.Digest}] {
				w.Violate("request %d is committed in view %d with sequence number %d, and view %d begins without it", c.Digest, c.View, c.N, v.View)
				return
			}
		}
	}
}

// decided checks that f+1 replicas reply the same result to each request, and different results to different requests.
type decided struct {
	f       int
	Replies map[Executed]int // the number of replies, at most f+1
}

func (d *decided) Observe(w model.Watch, o model.Observation) {
	r, is := o.Value.(Executed)
	if !is || r.Request == Null {
		return
	}
	d.Replies[r] = min(d.Replies[r]+1, d.f+1)
	if d.Replies[r] <= d.f {
		return
	}
	w.Witness()
	others := slices.SortedFunc(maps.Keys(d.Replies), func(a, b Executed) int {
		return cmp.Or(cmp.Compare(a.Request, b.Request), cmp.Compare(a.Result, b.Result))
	})
	for _, other := range others {
		if d.Replies[other] > d.f && other != r && (other.Request == r.Request || other.Result == r.Result) {
			w.Violate("the client accepts result %d of request %d, and result %d of request %d", r.Result, r.Request, other.Result, other.Request)
			return
		}
	}
}

// executed has the goal that a number of replicas have executed all sequence numbers.
type executed struct {
	all, numbers int
	Last         map[model.NodeID]int
}

func (e *executed) Observe(w model.Watch, o model.Observation) {
	if r, is := o.Value.(Executed); is {
		e.Last[o.Node] = r.Result
	}
	if e.Reached() {
		w.Witness()
	}
}

// Reached reports whether enough replicas have.
func (e *executed) Reached() bool {
	n := 0
	for _, last := range e.Last {
		if last >= e.numbers {
			n++
		}
	}
	return n >= e.all
}
