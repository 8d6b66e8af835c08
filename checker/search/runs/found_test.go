package runs_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"contend/checker/confirm"
	"contend/checker/search"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// A server counts what it is asked, and remembers who asked first. Where there is a limit it fails behind it.
type server struct {
	mayAsk int
	Asked  int
	First  []model.NodeID
}

func (s *server) Receive(env model.Env, from model.NodeID, _ any) {
	if s.Asked++; s.mayAsk > 0 && s.Asked > s.mayAsk {
		panic("asked too often")
	}
	if s.Asked == 1 {
		s.First = []model.NodeID{from}
		env.Send(from, "yes")
	}
}

// A client asks two of its servers, which it chooses, and notes what it is told.
type client struct {
	servers []model.NodeID
	Of      []model.NodeID
}

func (c *client) Start(env model.Env) {
	without := env.Choose(len(c.servers))
	for k, s := range c.servers {
		if k != without {
			env.Send(s, "ask")
		}
	}
}

func (c *client) Receive(env model.Env, from model.NodeID, _ any) {
	c.Of = append(c.Of, from)
	env.Note(len(c.Of))
}

// A node that notes something as it begins, or does not.
type begins struct{ Chose int }

func (b *begins) Start(env model.Env) {
	if b.Chose = env.Choose(3); b.Chose == 1 {
		env.Note(1)
	}
}

func (*begins) Receive(model.Env, model.NodeID, any) {}

// alike is a system of three servers that are alike, and two clients.
func alike(window model.Window) *model.System {
	s := &model.System{Types: []any{"", 0}, Network: model.Network{Delay: window}, Faults: model.Faults{Loss: 1}}
	servers := []model.NodeID{0, 1, 2}
	for k := range servers {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("s", k), Role: model.Server, New: func() model.Node { return &server{} }})
	}
	for k := range 2 {
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: fmt.Sprint("c", k), Role: model.Peer, New: func() model.Node { return &client{servers: servers} }})
	}
	return s
}

// counting is broken by a note for the last time that it allows notes, each of a number.
type counting struct {
	Left  int
	Noted int
}

func (c *counting) Observe(w model.Watch, o model.Observation) {
	if o.Kind != model.Noted {
		return
	}
	if c.Left--; c.Left == 0 {
		w.Violate("a note too many")
	}
}

func counted(n int) model.Claim {
	return model.Claim{Name: fmt.Sprint("no note ", n), Kind: model.Always, Monitor: func(*model.System) model.Monitor { return &counting{Left: n} }}
}

// Where names stand for states, and where time is real, a search finds runs that the interpreter confirms, of each length. They are the same
// however many workers number what they meet.
func TestRunsOfSearches(t *testing.T) {
	found := map[string]int{}
	check := func(name string, s *model.System, claims []model.Claim, opt search.Options) {
		codec, err := value.For(s, claims)
		if err != nil {
			t.Fatal(err)
		}
		opt.Pure, opt.MaxStates = true, 3000
		var first []search.Candidate
		for _, workers := range []int{1, 4} {
			var all []search.Candidate
			opt.Workers = workers
			opt.Confirm = func(c search.Candidate) (search.Confirmation, error) {
				_, is, err := confirm.Take(s, codec, claims, opt.Timed, c)
				if all = append(all, c); err == nil && is == search.Real {
					found[name]++
				}
				return is, err
			}
			res, err := search.Run(s, claims, opt)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, o := range res.Claims {
				if o.Disputed != "" {
					t.Fatalf("%s: %v", name, o.Disputed)
				}
			}
			if workers == 1 {
				first = all
			} else if res.Limit.None() && !reflect.DeepEqual(all, first) {
				t.Fatalf("%s: %d workers find\n%+v\nand one finds\n%+v", name, workers, all, first)
			}
		}
	}
	notes := []model.Claim{counted(1), counted(2), counted(3), counted(4)}
	check("names", alike(model.Anytime()), notes, search.Options{Symmetry: true})
	check("names in time", alike(model.By(2)), notes[:2], search.Options{Symmetry: true, Timed: true})
	check("names in real time", alike(model.By(2)), notes[:3], search.Options{Symmetry: true, Timed: true, Dense: true, Merge: true})
	begins := &model.System{Types: []any{0}, Network: model.Network{Delay: model.By(1)}, Nodes: []model.NodeSpec{{Name: "n", New: func() model.Node { return &begins{} }}}}
	check("beginnings", begins, notes[:1], search.Options{Timed: true, Dense: true})
	for seed := range uint64(12) {
		s := random.Timed(rand.New(rand.NewPCG(seed, 3)), random.Timing{})
		check("real time", s, notes[:3], search.Options{Timed: true, Dense: true, Merge: seed%2 == 0})
	}
	for seed := range uint64(60) {
		if it := random.Draw(seed); it.Reading == model.Dense {
			claims := slices.DeleteFunc(oracle.Watched(it.Claims), func(c model.Claim) bool { return c.Monitor == nil || c.Kind != model.Always })
			for _, c := range claims {
				check("drawn in real time", it.System, []model.Claim{c}, search.Options{Timed: true, Dense: true, Merge: true})
			}
		}
	}
	if found["names"] < 6 || found["names in time"] < 4 || found["names in real time"] < 6 || found["real time"] < 40 || found["drawn in real time"] < 6 || found["beginnings"] < 2 {
		t.Errorf("too little is found: %v", found)
	}
}
