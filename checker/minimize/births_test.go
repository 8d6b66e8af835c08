package minimize

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/lab/random"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/replay"
)

// RandomRun is a run of a random system that breaks a claim, and its protocol; nil where none of a few runs does.
func RandomRun(t *testing.T, seed uint64) (*model.Protocol, *traces.Trace) {
	t.Helper()
	it := random.Draw(seed)
	claims := slices.DeleteFunc(it.Claims, func(c model.Claim) bool { return c.Kind != model.Always && c.Kind != model.Linearizable })
	if len(claims) == 0 || it.Fails {
		return nil, nil
	}
	p := &model.Protocol{Name: "random", Params: []model.Parameter{model.N}, Claims: claims, Build: func(c model.Config) (*model.System, error) {
		s := random.Draw(seed).System
		s.Config, s.Faults = c, c.Faults
		return s, nil
	}}
	s, err := p.System("", model.Config{Faults: it.System.Faults})
	if err != nil {
		return nil, nil
	}
	h := traces.New(p, "", s.Config, it.Reading != model.Untimed, "", "")
	for _, c := range claims {
		h.Watched = append(h.Watched, c.Name)
	}
	const parts = 2
	for run := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, run))
		w, err := world.New(s, judge.Watched(claims), world.Options{Timed: h.Timed(), Parts: parts, Boot: func(n int, _ string) int { return r.IntN(n) }})
		if err != nil {
			return nil, nil
		}
		records := wander(w, r)
		if len(w.Violations) == 0 {
			continue
		}
		h.Claim = w.Violations[len(w.Violations)-1].Claim
		tr, err := traces.FromRun(h, w, parts, records)
		require.NoError(t, err)
		return p, tr
	}
	return nil, nil
}

// wander takes moves at random until a claim breaks.
func wander(w *world.World, r *rand.Rand) (records []world.Record) {
	for tries := 0; tries < 200 && len(records) < 40 && len(w.Violations) == 0; tries++ {
		moves := slices.Concat(w.Moves(), w.Forgeries())
		if len(moves) == 0 {
			break
		}
		m := moves[r.IntN(len(moves))]
		at, late := w.Now, w.Now
		if !m.Kind.Adversarial() {
			at, late, _ = w.Fires(m.Event)
		}
		if late = min(late, at+4); late > at {
			at += world.Time(r.Int64N(int64(late-at) + 1))
		}
		if rec, err := w.Step(m, at, func(n int, _ string) int { return r.IntN(n) }); err == nil {
			records = append(records, rec)
		}
	}
	return records
}

// Events of one name that one step makes are numbered from 1, and those that the beginning of a run makes are not counted with those of the
// first step. What a run spends is what the environment does in it. The plan that changes nothing takes each step's own event, and comes
// to the run again.
func TestRunsThatAreRecorded(t *testing.T) {
	runs, many, faults := 0, 0, map[model.EventKind]int{}
	for seed := range uint64(200) {
		p, tr := RandomRun(t, seed)
		if tr == nil {
			continue
		}
		m, err := begin(p, tr, Options{})
		require.NoError(t, err)
		runs++
		type made struct {
			step int
			eventName
		}
		numbers := map[made][]int{}
		for e, b := range m.best.births {
			by := made{b.step, nameOf(e)}
			numbers[by] = append(numbers[by], b.nth)
		}
		for by, all := range numbers {
			slices.Sort(all)
			for i, n := range all {
				require.Equal(t, i+1, n, "seed %d: %v makes %v", seed, by, all)
			}
			if len(all) > 1 {
				many++
			}
		}
		does := map[model.EventKind]int{}
		for _, r := range m.best.records {
			if r.Move.Kind.Adversarial() {
				kind := r.Move.Kind
				if kind == model.Crash && !m.best.stage.system.Nodes[r.Node].MayRecover() {
					kind = model.Stop
				}
				does[kind]++
				faults[kind]++
			}
		}
		assert.Equal(t, model.Faults{Loss: does[model.Lose], Duplication: does[model.Duplicate], Crashes: does[model.Stop],
			Restarts: does[model.Crash], Suspicions: does[model.Mistake], Partitions: does[model.Partition]}, m.best.injectedFaults(), "seed %d", seed)
		again, amiss := m.execute(m.plan())
		require.NotNil(t, again, "seed %d", seed)
		assert.False(t, amiss)
		require.Len(t, again.records, len(m.best.records))
		for i, r := range again.records {
			was := m.best.records[i]
			assert.Equal(t, was.Move.Kind, r.Move.Kind)
			assert.Equal(t, was.At, r.At)
			assert.Equal(t, was.Choices, r.Choices)
			if e := was.Move.Event; e != nil {
				assert.Equal(t, m.best.births[e], again.births[r.Move.Event])
			}
		}
	}
	t.Log(runs, many, faults)
	assert.Greater(t, runs, 30)
	assert.Greater(t, many, 10)
	for _, k := range []model.EventKind{model.Lose, model.Duplicate, model.Stop, model.Crash, model.Mistake, model.Partition} {
		assert.Positive(t, faults[k], k.String())
	}
}

// farthest takes a plan as far as it goes, whether or not the claim breaks; nil where no step of it is possible.
func farthest(m *minimizer, p plan) (is *result) {
	was, most := m.judge, 0
	defer func() { m.judge = was }()
	m.judge = func(t *execution) bool {
		most = max(most, len(t.records))
		return false
	}
	m.execute(p)
	if most == 0 {
		return nil
	}
	m.judge = func(t *execution) bool { return len(t.records) == most }
	is, _ = m.execute(p)
	return is
}

// What a run is that a plan comes to is the same as if it were the first: which step made each event, and where each lie stands. That holds where a
// step was left out, and what depends on it did not happen or took another event.
func TestRunsThatAreTakenAreRecordedAlike(t *testing.T) {
	runs, short, lies := 0, 0, 0
	for seed := range uint64(100) {
		p, tr := RandomRun(t, seed)
		if tr == nil {
			continue
		}
		m, err := begin(p, tr, Options{})
		require.NoError(t, err)
		for i := range m.best.records {
			plan := m.omit(i)
			plan.matching = []matching{closest, narrow, oldest}[i%3]
			is := farthest(m, plan)
			if is == nil {
				continue
			}
			made, err := is.trace()
			require.NoError(t, err, "seed %d", seed)
			run, err := replay.Until(p, made, m.claims, len(made.Steps))
			require.NoError(t, err, "seed %d without step %d", seed, i+1)
			m.judge = func(*execution) bool { return true }
			again, err := m.record(is.stage, run)
			require.NoError(t, err)
			require.Len(t, is.records, len(again.records))
			require.Equal(t, named(again.births), named(is.births), "seed %d without step %d: %v", seed, i+1, made.Steps)
			require.Equal(t, again.places, is.places, "seed %d without step %d", seed, i+1)
			runs, lies = runs+1, lies+len(is.places)
			if len(is.records) < len(m.best.records)-1 {
				short++
			}
		}
	}
	t.Log(runs, short, lies)
	assert.Greater(t, short, 50, "runs in which another step was left out, too")
	assert.Greater(t, lies, 100)
}

// named are births by the names of events.
func named(births map[*world.Event]birth) map[string]birth {
	all := map[string]birth{}
	for e, b := range births {
		all[fmt.Sprint(nameOf(e), e.Occurrence)] = b
	}
	return all
}
