package search

import (
	"testing"

	"contend/checker/search/component"
	"contend/checker/search/reduce"
	"contend/model"
	"contend/model/value"
)

// A search uses what it is asked to use and may use.
func TestSearchesUseWhatTheyMay(t *testing.T) {
	s := system(client("c", scripted{}, "go"), server("s", scripted{}))
	s.Network.Delay = model.By(1)
	own := *s
	own.Network = model.Network{Channel: model.FIFO, Messages: func(_, _ model.NodeID, _ any) model.Window { return model.By(1) }}
	all := Options{Symmetry: true, Clients: true, Stale: true, Merge: true}
	parted := *s
	parted.Faults.Partitions = 1
	set := *s
	set.Network.Channel = model.Set
	restarting := set
	restarting.Faults.Restarts = 1
	causal := never(1)
	causal.Causal = func(model.Observation) bool { return true }
	counted, chained := model.Cost{Name: "c", Sends: true}, model.Cost{Name: "c", Chains: true}
	for _, c := range []*model.Cost{&counted, &chained} {
		c.Meter = never(1).Monitor
	}
	eventually := tells("1 is told", model.Eventually, 1)
	surely := tells("1 is told", model.AlmostSurely, 1)
	in := func(opt Options, timed, dense bool) Options { opt.Timed, opt.Dense = timed, dense; return opt }
	for _, c := range []struct {
		name  string
		s     *model.System
		claim model.Claim
		opt   Options
		want  reduce.Uses
	}{
		{"untimed", s, never(1), all, reduce.Uses{Servers: true, Clients: true, Stale: true, Echoes: true, Equals: true}},
		{"grid", s, never(1), in(all, true, false), reduce.Uses{Servers: true, Clients: true, Stale: true, Equals: true}},
		{"dense", s, never(1), in(all, true, true), reduce.Uses{Servers: true, Clients: true, Stale: true, Inclusion: true, Merging: true, Settles: true}},
		{"nothing is asked for", s, never(1), Options{}, reduce.Uses{Equals: true}},
		{"own windows, untimed", &own, never(1), all, reduce.Uses{Servers: true, Clients: true, Stale: true, Echoes: true, Equals: true}},
		{"own windows", &own, never(1), in(all, true, false), reduce.Uses{Servers: true, Clients: true, Equals: true}},
		{"set", &set, never(1), in(all, true, false), reduce.Uses{Servers: true, Clients: true, Stale: true, Equals: true}},
		{"set, restarts", &restarting, never(1), in(all, true, false), reduce.Uses{Servers: true, Clients: true, Equals: true}},
		{"set, restarts, untimed", &restarting, never(1), all, reduce.Uses{Servers: true, Clients: true, Stale: true, Echoes: true, Equals: true}},
		{"eventually", s, eventually, all, reduce.Uses{Equals: true}},
		{"almost surely", s, surely, in(all, true, false), reduce.Uses{Equals: true}},
		{"partitions", &parted, never(1), all, reduce.Uses{Stale: true, Echoes: true, Equals: true}},
		{"causal", s, causal, all, reduce.Uses{Equals: true}},
		{"messages are counted", s, counted.Claim(), all, reduce.Uses{Servers: true, Clients: true, Stale: true, Equals: true}},
		{"chains are followed", s, chained.Claim(), all, reduce.Uses{Equals: true}},
	} {
		codec, err := value.For(c.s, []model.Claim{c.claim})
		if err != nil {
			t.Fatal(err)
		}
		if x := newExplorer(c.s, codec, []model.Claim{c.claim}, c.opt.withDefaults(), component.Closing, newGuesses()); x.Uses != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, x.Uses, c.want)
		}
	}
}
