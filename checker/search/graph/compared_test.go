package graph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/confirm"
	"contend/checker/search"
	"contend/checker/search/graph"
	"contend/lab/oracle"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// A roamer goes from place to place, now at once and now after a while, until it comes to one that has no way on. Which way it goes the
// adversary chooses, or a draw, or the first of two alarms. It calls in place 1.
type roamer struct {
	ways  [6][2]int // of each place; 0 where there is none
	sleep [6]model.Window
	races [6]bool
	draws [6]bool

	Place int
	Races bool
}

func (w *roamer) Start(env model.Env) { w.goOn(env) }

func (w *roamer) Receive(env model.Env, _ model.NodeID, _ any) { w.goOn(env) }

func (w *roamer) Timeout(env model.Env, key any) {
	switch {
	case key == "on":
		w.goOn(env)
	case w.Races:
		w.Races = false
		w.goTo(env, w.ways[w.Place][len(key.(string))-1])
	}
}

func (w *roamer) goOn(env model.Env) {
	way := w.ways[w.Place]
	if w.draws[w.Place] {
		w.goTo(env, way[env.Draw(2)])
		return
	}
	if way[0] != way[1] && env.Choose(2) == 1 {
		w.goTo(env, way[1])
		return
	}
	w.goTo(env, way[0])
}

func (w *roamer) goTo(env model.Env, place int) {
	if w.Place = place; place == 1 {
		env.Note("here")
	}
	switch s := w.sleep[place]; {
	case w.ways[place] == [2]int{}:
	case w.races[place]:
		w.Races = true
		env.After("l", s)
		env.After("rr", model.Uniform(1, 2))
	case s != (model.Window{}):
		env.After("on", s)
	default:
		env.Send(env.Self(), "on")
	}
}

// calls is reached behind the first call, the third and so on, and called behind each.
type calls struct{ Is bool }

func (c *calls) Observe(_ model.Watch, o model.Observation) { c.Is = c.Is != (o.Kind == model.Noted) }
func (c *calls) Reached() bool                              { return c.Is }

// called is reached by a call.
type called struct{ Is bool }

func (c *called) Observe(_ model.Watch, o model.Observation) { c.Is = c.Is || o.Kind == model.Noted }
func (c *called) Reached() bool                              { return c.Is }

// roaming is a random roamer or two, and a claim of each kind about it.
func roaming(seed uint64) random.Case {
	r := rand.New(rand.NewPCG(seed, 37))
	s := &model.System{Network: model.Network{Delay: model.Between(0, model.Ticks(r.IntN(2)))}, Types: []any{""}}
	if r.IntN(3) == 0 {
		s.Network.Delay = model.Anytime()
	}
	timed := r.IntN(3) > 0
	gambles := timed && r.IntN(2) == 0 // all ways are chance's, and lead on
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
				like.races[i] = timed && r.IntN(2) == 0
			}
			like.draws[i] = timed && r.IntN(3) == 0
			if gambles && r.IntN(6) > 0 {
				like.ways[i], like.sleep[i], like.races[i] = [2]int{1 + r.IntN(5), 2 + r.IntN(4)}, model.Uniform(1, model.Ticks(1+r.IntN(2))), r.IntN(2) == 0
				like.draws[i] = r.IntN(4) > 0
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
		if kind == model.AlmostSurely {
			c.Against = model.Adversary(r.IntN(3))
		}
		again := c
		again.Name, again.Monitor = "again: "+c.Name, func(*model.System) model.Monitor { return &calls{} }
		it.Claims = append(it.Claims, c, again)
	}
	return it
}

// A drummer has alarms that ring for ever, now on their own and now behind a message. Whether one is pending whose time is still open, when a
// round begins anew, differs.
type drummer struct {
	beats []model.Window
	asks  int // the alarm that rings again only behind a message

	Rung int
}

func (d *drummer) Start(env model.Env) {
	for k, w := range d.beats {
		env.After(k, w)
	}
}

func (d *drummer) Timeout(env model.Env, key any) {
	d.Rung = (d.Rung + 1) % 2
	if k := key.(int); k == d.asks {
		env.Send(env.Self(), k)
	} else {
		env.After(k, d.beats[k])
	}
}

func (d *drummer) Receive(env model.Env, _ model.NodeID, m any) { env.After(m, d.beats[m.(int)]) }

// drumming is a random drummer, which never calls.
func drumming(seed uint64) random.Case {
	r := rand.New(rand.NewPCG(seed, 41))
	like := drummer{asks: r.IntN(3)}
	for range 1 + r.IntN(2) {
		least := model.Ticks(1 + r.IntN(2))
		like.beats = append(like.beats, []model.Window{model.Uniform(least, least+1), model.Uniform(1, 3), model.Exactly(least)}[r.IntN(3)])
	}
	s := &model.System{Types: []any{0}, Nodes: []model.NodeSpec{{Name: "d", Role: model.Peer, New: func() model.Node { d := like; return &d }}}}
	s.Network.Delay = model.Between(0, model.Ticks(r.IntN(2)))
	c := model.Claim{Name: "calls", Kind: model.AlmostSurely, Against: model.Adversary(r.IntN(3)), Monitor: func(*model.System) model.Monitor { return &called{} }}
	return random.Case{System: s, Reading: model.Grid, Claims: []model.Claim{c}}
}

// A waner has an alarm k whose time is open in a round that begins behind z. When the round is entered, k may be older than when the round
// comes back there: of a window of up to three ticks, one of which is over, as many are left as of one of two.
type waner struct{ Zs int }

func (w *waner) Start(env model.Env) {
	env.After("k", model.Uniform(1, 3))
	env.After("go", model.Exactly(1))
}

func (w *waner) Timeout(env model.Env, key any) {
	switch key {
	case "go":
		env.After("z", model.Exactly(0))
	case "z":
		w.Zs = 1
	case "k":
		w.Zs = 0
		env.After("k", model.Uniform(1, 2))
		env.After("go", model.Exactly(0))
	}
}

func waning(against model.Adversary) random.Case {
	s := &model.System{Nodes: []model.NodeSpec{{Name: "w", Role: model.Peer, New: func() model.Node { return &waner{} }}}}
	c := model.Claim{Name: "calls", Kind: model.AlmostSurely, Against: against, Monitor: func(*model.System) model.Monitor { return &called{} }}
	return random.Case{System: s, Reading: model.Grid, Claims: []model.Claim{c}}
}

// A round is entered as it goes on, whatever was older before.
func TestRoundsThatAreEnteredLate(t *testing.T) {
	for against := range model.Adversary(3) {
		decided := map[string]int{}
		compare(t, against.String(), waning(against), waning(against).Claims, decided)
		if decided["almost surely round"] != 1 {
			t.Errorf("%v: %v", against, decided)
		}
	}
}

// A jammer sends a message that takes long, and behind it in the channel one that may not: time cannot go on.
type jammer struct{}

func (*jammer) Start(env model.Env) {
	env.Send(env.Self(), "slow")
	env.Send(env.Self(), "soon")
}

func (*jammer) Receive(env model.Env, _ model.NodeID, m any) {
	if m == "soon" {
		env.Note("here")
	}
}

func jammed() random.Case {
	s := &model.System{Types: []any{""}, Nodes: []model.NodeSpec{{Name: "j", Role: model.Peer, New: func() model.Node { return &jammer{} }}}}
	s.Network = model.Network{Channel: model.FIFO, Messages: func(_, _ model.NodeID, m any) model.Window {
		if m == "soon" {
			return model.Exactly(1)
		}
		return model.Exactly(3)
	}}
	it := roaming(0)
	return random.Case{System: s, Reading: model.Grid, Claims: it.Claims[:4]}
}

// Where time cannot go on nothing is known of what follows.
func TestTimeThatCannotGoOn(t *testing.T) {
	decided := map[string]int{}
	compare(t, "jammed", jammed(), jammed().Claims, decided)
	if decided["open"] != 4 {
		t.Error(decided)
	}
}

// What a search decides by its graph of random systems is what brute force decides by the definitions, and the interpreter takes each run
// that is made of it: to a state from which the goal is out of reach, round for ever, or through an end component.
func TestComparedWithBruteForce(t *testing.T) {
	decided := map[string]int{}
	surely := func(c model.Claim) bool { return c.Kind == model.AlmostSurely }
	for seed := range uint64(140) {
		cases := map[string]random.Case{"roaming": roaming(seed), "drumming": drumming(seed)}
		for k := range uint64(4) {
			it := random.Draw(4*seed + k)
			if len(it.System.Cuts) > 0 || slices.ContainsFunc(it.Claims, surely) || seed%4 == 0 {
				cases[fmt.Sprint("drawn ", k)] = it
			}
		}
		for name, it := range cases {
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
	if many, of := decided["rounds once too often"], decided["rounds"]; many > of*3/4 {
		t.Errorf("%d of %d rounds could have begun where they were entered", many, of)
	}
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
		if c.Loop == len(c.Steps) {
			t.Errorf("%s: %v: the round takes no step", name, claims[c.Claim].Kind)
		}
		_, is, err := confirm.Take(it.System, codec, claims, timed, c)
		if n := len(c.Steps) - c.Loop; err == nil && is == search.Real && claims[c.Claim].Kind == model.AlmostSurely && c.Loop >= 0 {
			decided["rounds"]++
			if c.Loop >= n { // it may have been taken once before
				less := c
				less.Steps, less.InFlight, less.Loop = c.Steps[:c.Loop], c.InFlight[:c.Loop+1], c.Loop-n
				if _, is, err := confirm.Take(it.System, codec, claims, timed, less); err == nil && is == search.Real {
					decided["rounds once too often"]++
				}
			}
		}
		return is, err
	}
	res, err := search.Run(it.System, claims, opt)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for _, o := range res.Claims {
		if o.Disputed != "" {
			t.Fatalf("%s: %v", name, o.Disputed)
		}
	}
	if truth.States > 0 && res.Complete && res.States != int64(truth.States) {
		t.Fatalf("%s: %d states, and %d by brute force", name, res.States, truth.States)
	}
	for i, c := range claims {
		found := res.Claims[i].Violated
		violated := found != nil
		open := !res.Claims[i].Limit.None() || !violated && !res.Complete
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
