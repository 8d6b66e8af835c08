package fuzz

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/judge"
	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
	"contend/traces"
)

// A target is what bytes are decoded for.
type target struct {
	protocol *model.Protocol
	// configure picks a configuration that the protocol can be built at.
	configure func(c sample.Choices) model.Config
	// workloads, unless nil, are variants to pick one from.
	workloads []string
	// refuted lists claims that the protocol as printed is known to break.
	refuted []string
}

// maxSteps is more than any configuration of the targets needs.
const maxSteps = 2000

// A crash is a run that data stands for and that breaks a claim.
type crash struct {
	claim, text string
	run         string       // for people
	trace       traces.Trace // to be replayed
}

func (c crash) Error() string { return fmt.Sprintf("%s is violated: %s\n%s", c.claim, c.text, c.run) }

// run runs the schedule that data stands for, of a variant or, when that is "", of
// one of the workloads. The error is a [crash], or says why the run failed.
func (tg target) run(variant string, data []byte) (sample.Outcome, error) {
	c := sample.Bytes(data)
	config := tg.configure(c)
	if variant == "" && tg.workloads != nil {
		variant = tg.workloads[c.Choose(len(tg.workloads))]
	}
	reading := world.Options{Timed: c.Choose(4) != 3, Parts: []int64{4, 1, 6, 12}[c.Choose(4)]}
	s, err := tg.protocol.System(variant, config)
	if err != nil {
		return sample.Outcome{}, err
	}
	watched := tg.claims(s, reading)
	w, err := world.New(s, watched, reading)
	if err != nil {
		return sample.Outcome{}, err
	}
	out := sample.Run(w, c, sample.Bounds{World: reading, MaxSteps: maxSteps})
	if out.Err != nil {
		return out, fmt.Errorf("%w\n%s", out.Err, tg.text(s, variant, config, out, reading))
	}
	if len(w.Violations) == 0 {
		return out, nil
	}
	v := w.Violations[0]
	header := traces.New(tg.protocol, variant, s.Config, reading.Timed, v.Claim, v.Text)
	for _, claim := range watched {
		header.Watched = append(header.Watched, claim.Name)
	}
	trace, err := traces.FromRun(header, w, reading.Parts, out.Records)
	if err != nil {
		return out, err
	}
	return out, crash{v.Claim, v.Text, tg.text(s, variant, config, out, reading), *trace}
}

// claims picks those that a run can violate and whose assumptions are met.
func (tg target) claims(s *model.System, reading world.Options) []model.Claim {
	time := model.Untimed
	if reading.Timed {
		time = model.Dense
	}
	return slices.DeleteFunc(judge.Watched(tg.protocol.Claims), func(c model.Claim) bool {
		watched := c.Kind == model.Always || c.Kind == model.Linearizable
		return !watched || len(c.Unmet(s, time)) > 0 || slices.Contains(tg.refuted, c.Name)
	})
}

func (tg target) text(s *model.System, variant string, c model.Config, out sample.Outcome, reading world.Options) string {
	head := fmt.Sprintf("%s/%s, %+v, timed: %v, %d parts to a tick\n", tg.protocol.Name, variant, c, reading.Timed, reading.Parts)
	return head + sample.Text(s, out.Records, reading.Parts)
}

// fuzz is the body of a fuzz target.
func (tg target) fuzz(f *testing.F) {
	f.Add([]byte(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := tg.run("", data); err != nil {
			t.Fatal(err)
		}
	})
}

// random makes bytes for a target when there is no fuzzer to make them.
func random(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	data := make([]byte, n)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	return data
}

// A fuzz target that could not fail would be worth nothing: its body, run on random
// bytes, finds a seeded bug. What it finds is shown, and is a trace that replays.
func TestTargetsCanFail(t *testing.T) {
	for _, c := range []struct {
		target  target
		variant string
		breaks  string
	}{
		{backoffTarget, "lease-delta", "Lemma 1"},
		{ricartAgrawalaTarget, "always-polite", "mutual exclusion"},
		{target{protocol: credulous, configure: configureOrdering}, "credulous", "Theorem 1"},
	} {
		t.Run(c.variant, func(t *testing.T) {
			found := c.target.search(t, c.variant, 20_000)
			if found.claim != c.breaks {
				t.Fatalf("want a violation of %s, got: %v", c.breaks, found)
			}
			if !strings.Contains(found.Error(), "deliver") {
				t.Fatalf("the message does not show the run: %v", found)
			}
			if _, err := traces.Replay(c.target.protocol, &found.trace, judge.Watched(c.target.protocol.Claims)); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// search runs random bytes until one run is a crash.
func (tg target) search(t *testing.T, variant string, runs uint64) crash {
	t.Helper()
	for seed := range runs {
		_, err := tg.run(variant, random(seed, 300))
		var found crash
		if errors.As(err, &found) {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Fatal("not found")
	return crash{}
}

// Most random bytes are runs that get somewhere: to the end of every script or to a
// cut, and never to the bound on steps.
func TestTargetsReachEnds(t *testing.T) {
	for _, tg := range []target{backoffTarget, ricartAgrawalaTarget, orderingTarget} {
		ends := map[sample.End]int{}
		for seed := range uint64(1000) {
			out, err := tg.run("", random(seed, 400))
			if err != nil {
				t.Fatal(err)
			}
			ends[out.End]++
		}
		if ends[sample.Done] < 200 || ends[sample.Done]+ends[sample.Cut] < 600 || ends[sample.TooLong] > 0 {
			t.Errorf("%s: runs end %v", tg.protocol.Name, ends)
		}
	}
}
