package search

import (
	"math/rand/v2"
	"strings"
	"testing"

	"contend/model"
)

// A grabber takes a key of a map: of its own, or of a message.
type grabber struct {
	own    bool
	Keys   map[int]int
	Picked int
}

type bundle struct{ Keys map[int]int }

func (p *grabber) Start(env model.Env) { env.Send(env.Self(), bundle{map[int]int{1: 1, 2: 2}}) }

func (p *grabber) Receive(_ model.Env, _ model.NodeID, m any) {
	keys := m.(bundle).Keys
	if p.own {
		keys = p.Keys
	}
	for p.Picked = range keys {
		break
	}
}

// A handler that takes the first key of a map of two entries is found out, and not three
// times in four: in a search so small that it does so but once.
func TestFirstKeyIsFoundOut(t *testing.T) {
	for _, own := range []bool{true, false} {
		for i := range 500 {
			s := system(server("s", scripted{}))
			s.Types = append(s.Types, bundle{})
			s.Nodes[0].New = func() model.Node { return &grabber{own: own, Keys: map[int]int{1: 1, 2: 2}} }
			_, err := Run(s, []model.Claim{never(9)}, Options{})
			want := "Receive of *search.grabber is not deterministic: two runs on the same state differ in field Picked ("
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Fatalf("run %d, the node's own map %v: error %v, want %q", i, own, err, want)
			}
		}
	}
}

// sequence is a system of a node that is sent some messages, one after the other.
func sequence(messages int, receive func(n *scripted, m int)) *model.System {
	return system(server("s", scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, 0) },
		receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
			receive(n, m.(int))
			if m := m.(int) + 1; m < messages {
				env.Send(0, m)
			}
		},
	}))
}

// What two runs at once agree on is asked again when the search is over.
func TestLateChangesAreFoundOut(t *testing.T) {
	calls, last, times := 0, -1, 0
	refuse(t, []refusal{
		{"a clock that ticks seldom", sequence(40, func(n *scripted, _ int) { n.S = calls / 64; calls++ }),
			"Receive of *search.scripted is not deterministic: two runs on the same state differ in field S (0 and "},
		{"a cache of one entry, filled in the order of calls", sequence(3, func(n *scripted, m int) {
			if m != last {
				last, times = m, times+1
			}
			n.S = times
		}), "Receive of *search.scripted is not deterministic: two runs on the same state differ in field S ("},
	})
}

// Another number of runs before the search makes no difference to what is said of a handler that
// asks for a choice every other time.
func TestChoicesMustBeAskedAgain(t *testing.T) {
	for before := range 4 {
		ran := before
		s := greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
			if ran++; ran%2 == 0 {
				env.Choose(2)
			}
		})
		_, err := Run(s, []model.Claim{never(9)}, Options{})
		want := "Receive of *search.scripted is not deterministic: two runs on the same state differ in its choices"
		if err == nil || err.Error() != want {
			t.Errorf("after %d runs: error %v, want %q", before, err, want)
		}
	}
	ran := 0
	refuse(t, []refusal{{"a choice among two, then among three", greeted(func(_ *scripted, env model.Env, _ model.NodeID, _ any) {
		ran++
		env.Choose(2 + ran%2)
		env.Choose(2)
	}), "Receive of *search.scripted is not deterministic: two runs on the same state differ in its choices"}})
}

// An Env is of no use when the handler that it was given to has returned.
func TestEnvMustNotBeKept(t *testing.T) {
	for what, use := range map[string]func(env model.Env){
		"Send": func(env model.Env) { env.Send(0, 1) }, "Choose": func(env model.Env) { env.Choose(2) }, "Note": func(env model.Env) { env.Note(1) },
		"Held": func(env model.Env) { env.Held(1) }, "Hold": func(env model.Env) { env.Hold(1, model.Through(1)) }, "Self": func(env model.Env) { env.Self() },
		"After": func(env model.Env) { env.After(1, model.By(1)) }, "Cancel": func(env model.Env) { env.Cancel(1) }, "Return": func(env model.Env) { env.Return(1) },
	} {
		var kept model.Env
		s := system(server("s", scripted{
			start:   func(_ *scripted, env model.Env) { env.Send(0, 1); kept = env },
			receive: func(_ *scripted, _ model.Env, _ model.NodeID, _ any) { use(kept) },
		}))
		refuse(t, []refusal{{what, s, "node s uses its Env after the handler that it was given to has returned"}})
	}
}

// New makes the same node each time.
func TestNewMustRepeat(t *testing.T) {
	random := func(make func(coin int) model.Node) *model.System {
		s := system(server("s", scripted{}))
		s.Nodes[0].New = func() model.Node { return make(rand.IntN(2)) }
		return s
	}
	refuse(t, []refusal{
		{"its state", random(func(coin int) model.Node { return &scripted{S: coin} }),
			"node s: New is not deterministic: two of *search.scripted that it made differ in field S ("},
		{"its configuration", random(func(coin int) model.Node { return &configured{cfg: &settings{coin}} }),
			"node s: New is not deterministic: two of *search.configured that it made differ in their unexported fields"},
		{"its type", random(func(coin int) model.Node {
			if coin == 0 {
				return &grabber{}
			}
			return &scripted{}
		}), "node s: New is not deterministic: two of "},
	})
}

// keyed takes the first key of a map of two entries that it makes itself.
func keyed() scripted {
	return scripted{
		start: func(_ *scripted, env model.Env) { env.Send(0, "pick") },
		receive: func(n *scripted, _ model.Env, _ model.NodeID, _ any) {
			for n.S = range map[int]int{1: 1, 2: 2} {
				break
			}
		},
	}
}

// A handler that ranges over a map of its own making is found out although the map that it is given
// is made the same each time. A run of 200 searches misses one with a probability of 200·(7/8)¹¹⁴,
// below 10⁻⁴; without asking often, each search misses it two times in three.
func TestFirstKeyOfALocalMapIsFoundOut(t *testing.T) {
	for i := range 200 {
		_, err := Run(system(server("s", keyed())), []model.Claim{never(9)}, Options{})
		want := "Receive of *search.scripted is not deterministic: two runs on the same state differ in field S ("
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Fatalf("run %d: error %v, want %q", i, err, want)
		}
	}
}

// Handlers that keep something of earlier calls are found out however seldom it shows, down to once in
// a hundred calls, and whatever was called before.
func TestCountersOfCallsAreFoundOut(t *testing.T) {
	calls, cache, hits := 0, map[int]int{}, map[int]int{}
	every := func(k int) func(*scripted, int) {
		return func(n *scripted, _ int) {
			if calls++; calls%k == 0 {
				n.S = 1
			}
		}
	}
	for name, receive := range map[string]func(n *scripted, m int){
		"every third call": every(3), "every 17th call": every(17), "every 100th call": every(100),
		"a cache that forgets": func(n *scripted, m int) {
			calls++
			for k := range cache {
				if len(cache) > 2 {
					delete(cache, k)
				}
			}
			if cache[m] == 0 {
				cache[m] = calls
			}
			n.S = cache[m]
		},
		"a cache that holds until it was asked often": func(n *scripted, m int) {
			if hits[m]++; hits[m]%50 == 0 {
				n.S = 1
			}
		},
	} {
		for i := range 50 {
			_, err := Run(sequence(4, receive), []model.Claim{never(9)}, Options{})
			want := "Receive of *search.scripted is not deterministic: two runs on the same state differ in field S ("
			if err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s, run %d: error %v, want %q", name, i, err, want)
				break
			}
		}
	}
}

// What a handler does in few of its states is asked as often as what it does in most: here in one
// of 20,000.
func TestSeldomHandlersAreAskedOften(t *testing.T) {
	for i := range 5 {
		s := system(server("s", scripted{
			start: func(_ *scripted, env model.Env) { env.Send(0, 0) },
			receive: func(n *scripted, env model.Env, _ model.NodeID, m any) {
				if m == 777 {
					for k := range map[int]int{1: 1, 2: 2} {
						env.Note(mark{k})
						break
					}
				}
				if m := m.(int) + 1; m < 20_000 {
					env.Send(0, m)
				}
			},
		}))
		_, err := Run(s, []model.Claim{never(9)}, Options{})
		if want := "Receive of *search.scripted is not deterministic: two runs on the same state differ in its effects"; err == nil || err.Error() != want {
			t.Fatalf("run %d: error %v, want %q", i, err, want)
		}
	}
}
