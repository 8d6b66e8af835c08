package search

import (
	"math/rand/v2"
	"testing"

	"contend/lab/oracle"
	"contend/model"
)

// standing is a system of one node. At each alarm it asks whether a hold of some ticks lasts; what it does then
// may stop time: two messages of which the first is slower than the second may be, or one to itself for ever.
func standing(lasts model.Ticks, does func(n *scripted, held bool) string) *model.System {
	act := func(n *scripted, env model.Env, do string) {
		switch do {
		case "goal":
			env.Note(mark{1})
		case "lock":
			env.Send(0, "slow")
			env.Send(0, "fast")
		case "spin":
			env.Send(0, "spin")
		case "hold":
			env.Hold("lock", model.Through(lasts))
			env.After("round", model.Exactly(1))
		default:
			env.After("round", model.Exactly(1))
		}
	}
	s := system(peer("p", scripted{
		start:   func(n *scripted, env model.Env) { act(n, env, "hold") },
		timeout: func(n *scripted, env model.Env, _ any) { act(n, env, does(n, env.Held("lock"))) },
		receive: func(_ *scripted, env model.Env, _ model.NodeID, m any) {
			if m == "spin" {
				env.Send(0, m)
			}
		},
	}))
	s.Network.Channel = model.FIFO
	s.Network.Messages = func(_, _ model.NodeID, m any) model.Window {
		return model.Exactly(map[any]model.Ticks{"slow": 3, "fast": 1, "spin": 0}[m])
	}
	return s
}

// Where only an answer that closing allows leads to where time stands still, the claim is
// decided; where a real one does, it is not.
func TestTimeStandsStillExactly(t *testing.T) {
	for do, limit := range map[string]string{"lock": timeLock, "spin": "time stands still"} {
		for lasts, want := range []verdict{{undecided: limit}, holds, holds} {
			s := standing(model.Ticks(lasts), func(_ *scripted, held bool) string {
				if held {
					return "goal"
				}
				return do
			})
			for against := model.Adaptive; against <= model.Nonadaptive; against++ {
				if got := explore(t, s, Options{Timed: true}, surely(against)).verdict(0); got != want {
					t.Errorf("%s, held through %d, against %v: %+v; want %+v", do, lasts, against, got, want)
				}
			}
		}
	}
}

// So it is where whole ticks may miss what an open window allows: that time cannot go on is told first.
func TestTimeStandsStillBesideOpenWindows(t *testing.T) {
	s := standing(0, func(_ *scripted, held bool) string { return "lock" })
	exactly := s.Network.Messages
	s.Network.Messages = func(from, to model.NodeID, m any) model.Window {
		if m == "slow" {
			return model.Window{Lo: model.Below(2), Hi: model.Through(3)}
		}
		return exactly(from, to, m)
	}
	if got := explore(t, s, Options{Timed: true}, surely(model.Adaptive)).verdict(0); got != (verdict{undecided: timeLock}) {
		t.Errorf("%+v", got)
	}
}

// An answer may be real between two ticks and at neither: time then stands still in earnest.
func TestTimeStandsStillBetweenTicks(t *testing.T) {
	act := func(env model.Env) {
		if env.Held("long") && !env.Held("short") {
			env.Send(0, "slow")
			env.Send(0, "fast")
			return
		}
		env.Note(mark{1})
	}
	s := standing(0, nil)
	s.Nodes[0].New = func() model.Node {
		return &scripted{
			start: func(_ *scripted, env model.Env) {
				env.Hold("short", model.Through(1))
				env.Hold("long", model.Below(2))
				env.After("ask", model.Between(1, 2))
			},
			timeout: func(_ *scripted, env model.Env, _ any) { act(env) },
		}
	}
	if got := explore(t, s, Options{Timed: true}, surely(model.Adaptive)).verdict(0); got != (verdict{undecided: timeLock}) {
		t.Errorf("%+v", got)
	}
}

// Of random systems that stop time now and then the same is said as by brute force, which reads each answer exactly.
func TestTimeStandsStillAgainstBruteForce(t *testing.T) {
	met := map[oracle.Verdict]int{}
	for seed := range uint64(few(150, 120)) {
		r := rand.New(rand.NewPCG(seed, 5))
		var table [3][2]struct {
			do   string
			next int
		}
		for i := range table {
			for k := range table[i] {
				table[i][k].do, table[i][k].next = []string{"goal", "goal", "lock", "spin", "hold", "on"}[r.IntN(6)], min(2, i+r.IntN(2))
			}
		}
		s := standing(model.Ticks(r.IntN(3)), func(n *scripted, held bool) string {
			k := 0
			if held {
				k = 1
			}
			a := table[n.S][k]
			n.S = a.next
			return a.do
		})
		want, _, err := oracle.Surely(s, surely(model.Adaptive), 500)
		if err != nil {
			t.Fatal(err)
		}
		met[want]++
		got := explore(t, s, Options{Timed: true}, surely(model.Adaptive)).verdict(0)
		switch {
		case want == oracle.Holds && got == holds, want == oracle.Violated && got == refuted:
		case want == oracle.Either && got.undecided != "" && got != refuted:
		default:
			t.Errorf("seed %d: %+v; brute force: %s", seed, got, want)
		}
	}
	for _, v := range []oracle.Verdict{oracle.Holds, oracle.Violated, oracle.Either} {
		if met[v] < 10 {
			t.Errorf("too few systems of some kind: %v", met)
		}
	}
}
