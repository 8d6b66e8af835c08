package sample_test

import (
	"testing"

	"contend/checker/sample"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/world"
)

func system(t testing.TB, p *model.Protocol, variant string, c model.Config) *model.System {
	t.Helper()
	s, err := p.System(variant, c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// once runs a system by the choices of c.
func once(t testing.TB, s *model.System, claims []model.Claim, c sample.Choices, opt world.Options) (sample.Outcome, *world.World) {
	t.Helper()
	w, err := world.New(s, claims, opt)
	if err != nil {
		t.Fatal(err)
	}
	out := sample.Run(w, c, sample.Bounds{World: opt})
	if out.Err != nil {
		t.Fatal(out.Err)
	}
	return out, w
}

// The default choice alone gets every script done.
func TestDefaultChoicesFinish(t *testing.T) {
	timed, untimed := world.Options{Timed: true, Parts: 4}, world.Options{}
	faults := model.Faults{Loss: 1, Duplication: 1, Crashes: 1, Restarts: 1}
	for _, c := range []struct {
		name    string
		p       *model.Protocol
		config  model.Config
		reading world.Options
	}{
		{"ricart agrawala", ricartagrawala.Protocol, model.Config{N: 3}, untimed},
		{"ricart agrawala, timed", ricartagrawala.Protocol, model.Config{N: 3}, timed},
		{"backoff, n=1", backoff.Protocol, model.Config{N: 1}, timed},
		{"backoff, n=2", backoff.Protocol, model.Config{N: 2}, timed},
		{"backoff, n=3", backoff.Protocol, model.Config{N: 3}, timed},
		{"backoff, faults allowed but not chosen", backoff.Protocol, model.Config{N: 6, B: 1, Faults: faults}, timed},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := system(t, c.p, "", c.config)
			out, _ := once(t, s, c.p.Claims, sample.Bytes(nil), c.reading)
			if out.End != sample.Done {
				t.Errorf("the run ends %s:\n%s", out.End, sample.Text(s, out.Records, c.reading.Parts))
			}
		})
	}
}

// Untimed, the default answer is that a hold still lasts: the client that is denied
// runs into the cut, and the run says so.
func TestCutEndsRun(t *testing.T) {
	s := system(t, backoff.Protocol, "", model.Config{N: 1})
	out, w := once(t, s, nil, sample.Bytes(nil), world.Options{})
	if out.End != sample.Cut || !w.Cut["tries"] {
		t.Errorf("the run ends %s, cut by %v; want a cut by tries", out.End, w.Cut)
	}
}

func TestIdleAndTooLong(t *testing.T) {
	s := system(t, backoff.Protocol, "gives-up", model.Config{N: 1})
	if out, _ := once(t, s, nil, sample.Bytes(nil), world.Options{Timed: true}); out.End != sample.Idle {
		t.Errorf("clients that gave up: the run ends %s, want idle", out.End)
	}
	w, err := world.New(s, nil, world.Options{Timed: true})
	if err != nil {
		t.Fatal(err)
	}
	out := sample.Run(w, sample.Bytes(nil), sample.Bounds{World: world.Options{Timed: true}, MaxSteps: 2})
	if out.End != sample.TooLong || len(out.Records) != 2 {
		t.Errorf("a run of at most two steps ends %s after %d", out.End, len(out.Records))
	}
}

// A run's recorded choices give the same run again.
func TestRecordedChoicesRepeatRun(t *testing.T) {
	s := system(t, backoff.Protocol, "", model.Config{N: 6, B: 1, Faults: model.Faults{Loss: 2, Duplication: 2, Crashes: 1, Restarts: 1}}.With(backoff.Tries.Is(3)))
	reading := world.Options{Timed: true, Parts: 6}
	for seed := range uint64(50) {
		rec := &sample.Recorder{From: sample.Seeded(seed)}
		first, _ := once(t, s, backoff.Protocol.Claims[:1], rec, reading)
		again := sample.Replay(rec.Made)
		second, _ := once(t, s, backoff.Protocol.Claims[:1], again, reading)
		if a, b := sample.Text(s, first.Records, 6), sample.Text(s, second.Records, 6); a != b || again.Exhausted() {
			t.Fatalf("seed %d: first\n%sthen\n%s", seed, a, b)
		}
	}
}

// Sampling meets what the bugs of such protocols live on: every kind of move,
// several events at one instant, instants on whole ticks and between them.
func TestRunsAreVaried(t *testing.T) {
	s := system(t, backoff.Protocol, "", model.Config{N: 6, B: 1, Faults: model.Faults{Loss: 2, Duplication: 2, Crashes: 1, Restarts: 1}})
	const parts = 4
	kinds := map[model.EventKind]bool{}
	ties, whole, between := 0, 0, 0
	for seed := range uint64(300) {
		out, _ := once(t, s, nil, sample.Seeded(seed), world.Options{Timed: true, Parts: parts})
		for i, r := range out.Records {
			kinds[r.Move.Kind] = true
			switch {
			case i > 0 && r.At == out.Records[i-1].At:
				ties++
			case r.At%parts == 0:
				whole++
			default:
				between++
			}
		}
	}
	for _, k := range []model.EventKind{model.Deliver, model.Timeout, model.Invoke, model.Return,
		model.Lose, model.Duplicate, model.Crash, model.Restart, model.Forge} {
		if !kinds[k] {
			t.Errorf("no run has a %v", k)
		}
	}
	if ties == 0 || whole == 0 || between == 0 {
		t.Errorf("ties: %d, whole ticks: %d, between ticks: %d; want some of each", ties, whole, between)
	}
}
