package search

import (
	"fmt"
	"testing"

	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// onProtocol is a search of a protocol, or of a mutant of it, that all ways to divide the work must do alike.
type onProtocol struct {
	p       *model.Protocol
	variant string
	config  model.Config
	opt     Options
	claims  []string
	long    bool // it is left out but with -full
}

var (
	reducing      = Options{Symmetry: true, Clients: true, Stale: true}
	reducingTimed = Options{Symmetry: true, Clients: true, Stale: true, Timed: true}
	smallBackoff  = model.Config{N: 2}.With(backoff.Tries.Is(1))

	onProtocols = []onProtocol{
		{backoff.Protocol, "", smallBackoff, reducingTimed, []string{"Lemma 1", "Lemma 1, grants"}, false},
		{backoff.Protocol, "small-quorum", smallBackoff, reducingTimed, []string{"Lemma 1"}, false},
		{backoff.Protocol, "lease-delta", model.Config{N: 2}.With(backoff.Tries.Is(2)), reducingTimed, []string{"Lemma 1"}, true},
		{ordering.Protocol, "seeded", model.Config{N: 2}.With(ordering.Attempts.Is(1)), reducing, []string{"Theorem 1"}, true},
		{ricartagrawala.Protocol, "", model.Config{N: 2}.With(model.Ops.Is(2)), Options{Histories: 7, Exact: true}, safety, false},
		{ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)), Options{Histories: 7, Exact: true}, safety, true},
		{ricartagrawala.Protocol, "", model.Config{N: 3}.With(model.Ops.Is(2)), Options{}, []string{"happened-before order"}, true},
		{ricartagrawala.Protocol, "one-reply-short", model.Config{N: 3}.With(model.Ops.Is(1)), Options{}, []string{"mutual exclusion"}, false},
		{ricartagrawala.Protocol, "defer-on-tie", model.Config{N: 3}.With(model.Ops.Is(2)), Options{}, []string{"deadlock freedom"}, true},
	}
)

// run compares searches in a subtest.
func (c onProtocol) run(t *testing.T, compare func(t *testing.T, name string, claims []model.Claim)) {
	name := fmt.Sprintf("%s/%s/n=%d", c.p.Name, c.variant, c.config.N)
	t.Run(name, func(t *testing.T) {
		if c.long && !*full {
			t.Skip("it is long")
		}
		_, claims := built(t, c.p, c.variant, c.config, c.claims...)
		compare(t, name, claims)
	})
}
