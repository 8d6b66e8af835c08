package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"contend/checker/search/symmetry"
	"contend/impl/backoff"
	"contend/impl/quorumlock"
	"contend/lab/random"
	"contend/model"
	"contend/model/value"
)

// statesOf returns the states that a search comes upon, and the search; ok is false
// when it does not come to its end.
func statesOf(t *testing.T, s *model.System, claims []model.Claim, opt Options) (states [][]uint32, x *explorer, ok bool) {
	t.Helper()
	x, r, _ := attempts(t, s, claims, opt, func(x *explorer) {
		states = nil
		x.observer = eachState(func(v []uint32) { states = append(states, slices.Clone(v)) })
	})
	return states, x, r.Complete
}

// orbitsOf counts the orbits of states by trying every permutation on each: an orbit
// is called by the least of the vectors in it.
func orbitsOf(x *explorer, states [][]uint32, permuted map[string]bool) int {
	sym := symmetry.New(x.Engine, permuted) // the engine does not know of it
	if sym == nil {
		return len(states)
	}
	all := []value.Renaming{sym.Identity()}
	for _, g := range sym.Groups {
		all = times(all, g.Ids)
	}
	orbits := map[string]bool{}
	for _, v := range states {
		least := ""
		for _, ren := range all {
			if key := vectorKey(renamedState(x, sym, v, sym.Intern(ren))); least == "" || key < least {
				least = key
			}
		}
		orbits[least] = true
	}
	return len(orbits)
}

// times follows each renaming by each permutation of a group.
func times(all []value.Renaming, ids []int) []value.Renaming {
	var out []value.Renaming
	var permute func(left, to []int)
	permute = func(left, to []int) {
		if len(left) == 0 {
			for _, r := range all {
				ren := slices.Clone(r)
				for k, id := range ids {
					ren[id] = model.NodeID(to[k])
				}
				out = append(out, ren)
			}
		}
		for k := range left {
			permute(slices.Concat(left[:k], left[k+1:]), append(to[:len(to):len(to)], left[k]))
		}
	}
	permute(ids, nil)
	return out
}

func renamedState(x *explorer, sym *symmetry.Groups, v []uint32, p uint32) []uint32 {
	out := slices.Clone(v)
	for i := range x.N {
		to := sym.Perm[p][i]
		out[to] = sym.Local(v[i], p)
		if at := x.AppOf[i]; at >= 0 {
			out[x.AppOf[to]] = v[at]
		}
	}
	for i := x.MonitorAt; i < x.BudgetAt; i++ {
		out[i] = sym.Local(v[i], p)
	}
	for i := x.Head; i < len(v); i++ {
		out[i] = sym.Part(v[i], p)
	}
	slices.Sort(out[x.Head:])
	return out
}

// groupings are the groups that may be permuted, with what a search calls it.
var groupings = []struct {
	Groups, clients bool
	names           []string
}{
	{true, false, []string{"symmetry"}},
	{false, true, []string{"client symmetry"}},
	{true, true, []string{"symmetry", "client symmetry"}},
}

// orbitsAreExact compares what a search counts under each grouping with the orbits of
// the states that a search without any comes upon; it returns how many groupings were
// compared, none being refused, and how many of them made a difference.
func orbitsAreExact(t *testing.T, name string, s *model.System, claims []model.Claim, opt Options) (compared, smaller int) {
	t.Helper()
	states, x, ok := statesOf(t, s, claims, opt)
	if !ok {
		return 0, 0
	}
	for _, g := range groupings {
		opt.Symmetry, opt.Clients = g.Groups, g.clients
		r := explore(t, s, opt, claims...)
		var named []string
		for _, reduction := range r.Reductions {
			if reduction != "stale absorption" {
				named = append(named, reduction)
			}
		}
		if !slices.Equal(named, g.names) {
			continue // there are not two nodes in each, or they are not alike
		}
		want := orbitsOf(x, states, map[string]bool{symmetry.Servers: g.Groups, symmetry.Clients: g.clients})
		if r.States != int64(want) {
			t.Fatalf("%s, %+v: %d states are met, but %d have %d orbits", name, opt, r.States, len(states), want)
		}
		if compared++; want < len(states) {
			smaller++
		}
	}
	return compared, smaller
}

// A search under symmetry meets each orbit of states once: on random systems whose
// servers and clients are alike, and may name each other.
func TestOrbitsOfRandomSystems(t *testing.T) {
	compared, smaller, channels, faults := map[bool]int{}, 0, map[model.Channel]int{}, map[model.Faults]int{}
	for seed := range uint64(few(53, 30)) {
		r := rand.New(rand.NewPCG(seed, 12))
		s := alike(r)
		if seed%8 == 0 {
			s = random.Refusals(r)
		}
		opt := Options{Timed: seed%2 == 0, Stale: seed/2%2 == 0, Wide: seed/4%2 == 0, MaxStates: 2500}
		n, k := orbitsAreExact(t, fmt.Sprint("seed ", seed), s, gossiping, opt)
		if smaller += k; n > 0 {
			compared[opt.Timed] += n
			channels[s.Network.Channel] += n
			faults[s.Faults] += n
		}
	}
	t.Logf("compared %v, of which %d are smaller; %v; %v", compared, smaller, channels, faults)
	if min(compared[false], compared[true]) < few(13, 6) || smaller < few(33, 15) || len(channels) < 3 || len(faults) < 3 {
		t.Error("too few systems of some kind")
	}
}

// So it is for the protocols.
func TestOrbitsOfProtocols(t *testing.T) {
	three := model.Config{N: 2}.With(model.Clients.Is(3), backoff.Tries.Is(1))
	for _, c := range []struct {
		p      *model.Protocol
		config model.Config
		opt    Options
		claims []string
		long   bool
	}{
		{backoff.Protocol, model.Config{N: 2}.With(backoff.Tries.Is(1)), Options{}, []string{"Lemma 1, grants"}, false},
		{backoff.Protocol, model.Config{N: 2}.With(backoff.Tries.Is(2)), Options{Timed: true}, []string{"Lemma 1"}, false},
		{backoff.Protocol, model.Config{N: 2, Faults: model.Faults{Crashes: 1}}.With(backoff.Tries.Is(1)), Options{Timed: true}, []string{"Lemma 1"}, false},
		{backoff.Protocol, three, Options{Stale: true}, []string{"Lemma 1, grants"}, true},
		{backoff.Protocol, model.Config{N: 3}.With(backoff.Tries.Is(1)), Options{Stale: true}, []string{"Lemma 1, grants"}, true},
		{backoff.Protocol, model.Config{N: 3}.With(backoff.Tries.Is(1)), Options{Timed: true, Stale: true}, []string{"Lemma 1"}, true},
		{quorumlock.Protocol, model.Config{N: 4, B: 1}, Options{}, []string{"mutual exclusion", "success"}, true},
		{quorumlock.Protocol, model.Config{N: 4, B: 1}, Options{Stale: true}, []string{"mutual exclusion", "success"}, false},
	} {
		name := fmt.Sprintf("%s/n=%d/clients=%d/timed=%v/stale=%v", c.p.Name, c.config.N, model.Clients.Of(c.config), c.opt.Timed, c.opt.Stale)
		t.Run(name, func(t *testing.T) {
			if c.long && !*full {
				t.Skip("it is long")
			}
			s, claims := built(t, c.p, "", c.config, c.claims...)
			c.opt.MaxStates = 200_000
			if compared, smaller := orbitsAreExact(t, name, s, claims, c.opt); compared != 3 || smaller != 3 {
				t.Errorf("%d of 3 groupings are compared, of which %d are smaller", compared, smaller)
			}
		})
	}
}

// The name of an orbit is the least of many prints where its members name each other.
// Such names are spread over the table like any others.
func TestNamesOfOrbitsAreSpread(t *testing.T) {
	ids := []model.NodeID{0, 1, 2, 3, 4}
	admirer := scripted{
		start: func(_ *scripted, env model.Env) { env.After("again", model.Anytime()) },
		timeout: func(n *scripted, env model.Env, _ any) {
			n.S, n.Log = n.S+1, append(n.Log, env.Choose(3))
			if n.Who = ids[env.Choose(len(ids))]; n.S < 3 {
				env.After("again", model.Anytime())
			}
		},
		Who: -1,
	}
	var nodes []model.NodeSpec
	for i := range ids {
		nodes = append(nodes, server(fmt.Sprint("s", i+1), admirer))
	}
	r := explore(t, system(nodes...), Options{Symmetry: true, MaxStates: 20_000}, never(0))
	if r.Limit.None() || !slices.Equal(r.Reductions, []string{"symmetry"}) {
		t.Errorf("limit %q, reductions %v", r.Limit, r.Reductions)
	}
}
