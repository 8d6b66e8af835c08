package fuzz

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"contend/checker/sample"
	"contend/model"
	"contend/model/world"
)

// A target is what bytes are decoded for.
type target struct {
	protocol *model.Protocol
	// configure picks a configuration that the protocol can be built at.
	configure func(c sample.Choices) model.Config
	// refuted lists claims that the protocol as printed is known to break.
	refuted []string
}

// maxSteps is more than any configuration of the targets needs.
const maxSteps = 2000

// run runs the schedule that data stands for. The error is a violation, with the
// run that leads to it.
func (tg target) run(variant string, data []byte) (sample.Outcome, error) {
	c := sample.Bytes(data)
	config := tg.configure(c)
	reading := world.Options{Timed: c.Choose(4) != 3, Parts: []int64{4, 1, 6, 12}[c.Choose(4)]}
	s, err := tg.protocol.System(variant, config)
	if err != nil {
		return sample.Outcome{}, err
	}
	w, err := world.New(s, tg.claims(s, reading), reading)
	if err != nil {
		return sample.Outcome{}, err
	}
	out := sample.Run(w, c, sample.Bounds{World: reading, MaxSteps: maxSteps})
	if out.Err != nil {
		return out, fmt.Errorf("%w\n%s", out.Err, tg.text(s, config, out, reading))
	}
	if len(w.Violations) > 0 {
		v := w.Violations[0]
		return out, fmt.Errorf("%s is violated: %s\n%s", v.Claim, v.Text, tg.text(s, config, out, reading))
	}
	return out, nil
}

// claims picks those that a run can violate and whose assumptions are met.
func (tg target) claims(s *model.System, reading world.Options) []model.Claim {
	time := model.Untimed
	if reading.Timed {
		time = model.Dense
	}
	return slices.DeleteFunc(slices.Clone(tg.protocol.Claims), func(c model.Claim) bool {
		return c.Kind != model.Always || len(c.Unmet(s, time)) > 0 || slices.Contains(tg.refuted, c.Name)
	})
}

func (tg target) text(s *model.System, c model.Config, out sample.Outcome, reading world.Options) string {
	head := fmt.Sprintf("%s, %+v, timed: %v, %d parts to a tick\n", tg.protocol.Name, c, reading.Timed, reading.Parts)
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
// bytes, finds a seeded bug.
func TestTargetsCanFail(t *testing.T) {
	for _, c := range []struct {
		target  target
		variant string
		breaks  string
	}{
		{backoffTarget, "lease-delta", "Lemma 1 is violated"},
		{ricartAgrawalaTarget, "always-polite", "mutual exclusion is violated"},
	} {
		t.Run(c.variant, func(t *testing.T) {
			for seed := range uint64(20_000) {
				_, err := c.target.run(c.variant, random(seed, 300))
				if err == nil {
					continue
				}
				if !strings.HasPrefix(err.Error(), c.breaks) {
					t.Fatalf("want %q, got: %v", c.breaks, err)
				}
				if !strings.Contains(err.Error(), "deliver") {
					t.Fatalf("the message does not show the run: %v", err)
				}
				return
			}
			t.Fatal("not found")
		})
	}
}

// Most random bytes are runs that get somewhere: to the end of every script or to a
// cut, and never to the bound on steps.
func TestTargetsReachEnds(t *testing.T) {
	for _, tg := range []target{backoffTarget, ricartAgrawalaTarget} {
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
