package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/confirm"
	"contend/checker/internal/random"
	"contend/checker/oracle"
	"contend/checker/search"
	"contend/checker/search/graph"
	"contend/model"
	"contend/model/value"
)

// A roamer goes from place to place, as chance or the adversary chooses, now at once and now after a while, until it comes to one that has
// no way on. It calls in place 1.
type roamer struct {
	ways  [6][2]int // of each place; 0 where there is none
	sleep [6]model.Window

	Place int
	Home  bool
}

func (w *roamer) Start(env model.Env) { env.Send(env.Self(), "on") }

func (w *roamer) Receive(env model.Env, _ model.NodeID, _ any) { w.goOn(env) }
func (w *roamer) Timeout(env model.Env, _ any)                 { w.goOn(env) }

func (w *roamer) goOn(env model.Env) {
	way := w.ways[w.Place]
	if w.Place = way[0]; way[0] != way[1] {
		w.Place = way[env.Choose(2)]
	}
	switch {
	case w.Place == 1:
		env.Note("here")
	case w.ways[w.Place] == [2]int{}:
		return
	}
	if s := w.sleep[w.Place]; s != (model.Window{}) {
		env.After("on", s)
	} else {
		env.Send(env.Self(), "on")
	}
}

// calls is reached as long as the last that was seen is a call, and called for ever after.
type calls struct{ Is bool }

func (c *calls) Observe(_ model.Watch, o model.Observation) { c.Is = o.Kind == model.Noted }
func (c *calls) Reached() bool                              { return c.Is }

// called is reached by a call.
type called struct{ Is bool }

func (c *called) Observe(_ model.Watch, o model.Observation) { c.Is = c.Is || o.Kind == model.Noted }
func (c *called) Reached() bool                              { return c.Is }

// roaming is a random roamer or two, and a claim of each kind about it.
func roaming(seed uint64) random.Case {
	r := rand.New(rand.NewPCG(seed, 37))
	s := &model.System{Network: model.Network{Delay: model.Between(0, model.Ticks(r.IntN(2)))}, Types: []any{""}}
	timed := r.IntN(3) > 0
	for range 1 + r.IntN(2) {
		var like roamer
		for i := range like.ways {
			if i == 1 && r.IntN(2) == 0 {
				continue
			}
			like.ways[i] = [2]int{1 + r.IntN(5), 1 + r.IntN(5)}
			if r.IntN(3) == 0 {
				like.ways[i][1] = like.ways[i][0]
			}
			if r.IntN(2) == 0 {
				least := model.Ticks(r.IntN(2))
				like.sleep[i] = []model.Window{model.Exactly(1), model.Between(least, least+1), model.Uniform(least, least+1)}[r.IntN(3)]
			}
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: string(rune('a' + len(s.Nodes))), Role: model.Peer, New: func() model.Node { w := like; return &w }})
	}
	if r.IntN(3) == 0 {
		s.Faults.Loss = 1
	}
	it := random.Case{System: s, Reading: model.Untimed}
	kinds := []model.Kind{model.PossibleFromEverywhere, model.Eventually}
	if timed {
		it.Reading = model.Grid
		kinds = append(kinds, model.AlmostSurely)
	}
	for _, kind := range kinds {
		c := model.Claim{Name: kind.String(), Kind: kind, Monitor: func(*model.System) model.Monitor { return &called{} }}
		if r.IntN(2) == 0 {
			c.Monitor = func(*model.System) model.Monitor { return &calls{} }
		}
		if kind == model.AlmostSurely {
			c.Against = model.Adversary(r.IntN(3))
		}
		it.Claims = append(it.Claims, c)
	}
	return it
}

// What a search decides by its graph of random systems is what brute force decides by the definitions, and the interpreter takes each run
// that is made of it: to a state from which the goal is out of reach, round for ever, or through an end component.
func TestComparedWithBruteForce(t *testing.T) {
	decided := map[string]int{}
	for seed := range uint64(140) {
		cases := map[string]random.Case{"roaming": roaming(seed)}
		if seed%2 == 0 {
			cases["drawn"] = random.Draw(seed / 2)
		}
		for name, it := range cases {
			surely := func(c model.Claim) bool { return c.Kind == model.AlmostSurely }
			others := slices.DeleteFunc(slices.Clone(it.Claims), func(c model.Claim) bool { return !graph.Ahead(c.Kind) || surely(c) })
			compare(t, fmt.Sprint(name, " ", seed), it, others, decided)
			for _, c := range it.Claims { // coins are tossed for it
				if surely(c) {
					compare(t, fmt.Sprint(name, " ", seed), it, []model.Claim{c}, decided)
				}
			}
		}
	}
	t.Log(decided)
	for _, what := range []string{"almost surely end", "almost surely round", "almost surely holds", "eventually end", "eventually round", "eventually holds",
		"possible from everywhere end", "possible from everywhere holds"} {
		if decided[what] < 6 {
			t.Errorf("%s: %d; too few", what, decided[what])
		}
	}
}

func compare(t *testing.T, name string, it random.Case, claims []model.Claim, decided map[string]int) {
	if len(claims) == 0 || it.Reading == model.Dense {
		return
	}
	truth, err := oracle.Judge(it.System, claims, it.Reading, 80)
	if err != nil || truth.NoHandlerFails == oracle.Violated {
		return
	}
	codec, err := value.For(it.System, claims)
	if err != nil {
		t.Fatal(err)
	}
	timed := it.Reading == model.Grid
	opt := search.Options{Timed: timed, Pure: true, MaxStates: 20_000, MaxSpurious: 3, Workers: 1}
	opt.Confirm = func(c search.Candidate) (search.Confirmation, error) {
		_, is, err := confirm.Take(it.System, codec, claims, timed, c)
		return is, err
	}
	res, err := search.Run(it.System, claims, opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if len(res.Disputed) > 0 {
		t.Fatalf("%s: %v", name, res.Disputed)
	}
	if truth.States > 0 && res.Complete && res.States != int64(truth.States) {
		t.Fatalf("%s: %d states, and %d by brute force", name, res.States, truth.States)
	}
	for i, c := range claims {
		found, violated := res.Violated[i]
		_, open := res.Undecided[i]
		is := truth.Verdicts[i]
		switch {
		case violated && is != oracle.Violated && is != oracle.Either && is != oracle.NotHeld,
			!violated && !open && is != oracle.Holds && is != oracle.Either:
			t.Fatalf("%s: %v is violated: %v, open: %v; and %v by brute force", name, c.Kind, violated, open, is)
		case open:
			decided["open"]++
		case !violated:
			decided[c.Kind.String()+" holds"]++
		case found.Loop >= 0:
			decided[c.Kind.String()+" round"]++
		default:
			decided[c.Kind.String()+" end"]++
		}
	}
}
