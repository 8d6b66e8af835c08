package sample

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample/strategy"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// A schedule that goes on from an opening that was run once is the run that it is if it takes the opening's steps itself.
func TestOpening(t *testing.T) {
	s, err := ricartagrawala.Protocol.System("", model.Config{N: 4, Faults: model.Faults{Duplication: 2}})
	require.NoError(t, err)
	s.Opening = func(o model.Observation) bool { return o.Kind == model.Returned }
	for _, name := range []string{"random", "pctcp", "pos", "surw"} {
		t.Run(name, func(t *testing.T) { sameOpened(t, s, ricartagrawala.Protocol.Claims, name, 24) })
	}
}

// Live schedules continue an opening as the interpreter's do.
func TestLiveOpening(t *testing.T) {
	for _, variant := range []string{"", "always-polite"} {
		s, err := ricartagrawala.Protocol.System(variant, model.Config{N: 4, Faults: model.Faults{Duplication: 2}})
		require.NoError(t, err)
		s.Opening = func(o model.Observation) bool { return o.Kind == model.Returned }
		claims := slices.DeleteFunc(slices.Clone(ricartagrawala.Protocol.Claims), func(c model.Claim) bool { return len(c.Unmet(s, model.Dense)) > 0 })
		opt := Options{Schedules: 48, Seed: 3, Workers: 2, Timed: true, Share: 16}
		_, off := sampled(t, s, claims, opt, false)
		sm, on := sampled(t, s, claims, opt, true)
		assert.NotNil(t, sm.setting)
		assert.Equal(t, outline(s, off), outline(s, on))
	}
}

// Schedules that are planned from those before all share the first opening: what is said of them holds from there.
func TestOpeningOfPlans(t *testing.T) {
	s, err := ricartagrawala.Protocol.System("", model.Config{N: 4})
	require.NoError(t, err)
	s.Opening = func(o model.Observation) bool { return o.Kind == model.Returned }
	openings := func(by strategy.Strategy) map[string]bool {
		sm, err := newSampler(s, nil, Options{Schedules: 12, Seed: 1, Share: 4, Strategy: by})
		require.NoError(t, err)
		all := map[string]bool{}
		for i := range 12 {
			r := sm.interpret(i, 0, nil, false)
			require.NoError(t, r.err)
			all[Text(s, r.out.Records[:r.shared], r.parts)] = true
		}
		return all
	}
	assert.Len(t, openings(strategy.NewDeviations()), 1)
	assert.Len(t, openings(strategy.Random{}), 3)
}

// sameOpened compares schedules that share openings, eight each, with those that take all steps.
func sameOpened(t *testing.T, s *model.System, claims []model.Claim, by string, schedules int) {
	kind, err := strategy.Find(by)
	require.NoError(t, err)
	sm, err := newSampler(s, claims, Options{Schedules: schedules, Seed: 1, Timed: true, Share: 8, Strategy: kind.New()})
	require.NoError(t, err)
	shared, ends := 0, map[string]bool{}
	for i := range schedules {
		r := sm.interpret(i, 0, nil, false)
		require.NoError(t, r.err)
		shared += r.shared
		afresh := sm.interpret(i, 0, nil, true)
		require.NoError(t, afresh.err)
		assert.NoError(t, sm.compareRuns(i, afresh, r))
		assert.Equal(t, Text(s, afresh.out.Records, afresh.parts), Text(s, r.out.Records, r.parts))
		assert.Equal(t, afresh.world.State(), r.world.State())
		ends[fmt.Sprintf("%x", r.world.State())+Text(s, r.out.Records, r.parts)] = true
	}
	assert.Positive(t, shared)
	assert.Greater(t, len(ends), schedules/2, "schedules differ behind their opening")
}
