package sample_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/sample"
	"contend/checker/sample/strategy"
	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/model/world"
)

// The number of workers changes nothing: not when a claim is violated so often that it
// comes to be ignored, not when none is, not when the sampling ends early.
func TestWorkersChangeNothing(t *testing.T) {
	for _, c := range []struct {
		name    string
		p       *model.Protocol
		variant string
		config  model.Config
		timed   bool
		claims  []string
	}{
		{"violated again and again", ricartagrawala.Protocol, "always-polite", model.Config{N: 3}, false, []string{"mutual exclusion", "deadlock freedom"}},
		{"all violated", ricartagrawala.Protocol, "always-polite", model.Config{N: 2}, false, []string{"mutual exclusion"}},
		{"timed", backoff.Protocol, "tolerates-more", model.Config{N: 1}, true, []string{"Lemma 1", "Corollary 2"}},
		{"with a liar", ordering.Protocol, "", model.Config{N: 7, B: 1}, false, []string{"Theorem 1", "Lemma 4 (2)"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := system(t, c.p, c.variant, c.config)
			claims := only(t, c.p, c.claims...)
			opt := sample.Options{Schedules: 120, Seed: 5, Timed: c.timed, Workers: 1}
			one := run(t, s, claims, opt)
			for _, opt.Workers = range []int{2, 5} {
				assert.Equal(t, told(s, one), told(s, run(t, s, claims, opt)), "%d workers", opt.Workers)
			}
		})
	}
}

// Nor with any strategy, though it learns. Its violations are of the same schedules.
func TestWorkersChangeNoStrategy(t *testing.T) {
	s := system(t, ricartagrawala.Protocol, "always-polite", model.Config{N: 2})
	claims := only(t, ricartagrawala.Protocol, "mutual exclusion", "happened-before order", "deadlock freedom")
	for _, k := range strategy.All() {
		t.Run(k.Name, func(t *testing.T) {
			opt := sample.Options{Schedules: 160, Seed: 5, Workers: 1, Strategy: k.New()}
			one := told(s, run(t, s, claims, opt))
			for _, opt.Workers = range []int{2, 5} {
				opt.Strategy = k.New()
				assert.Equal(t, one, told(s, run(t, s, claims, opt)), "%d workers", opt.Workers)
			}
		})
	}
}

// A interrupt ends a schedule before its next step, and the schedule does not count.
func TestInterruptEndsASchedule(t *testing.T) {
	s := system(t, ricartagrawala.Protocol, "", model.Config{N: 3})
	interrupt, steps := make(chan struct{}), 0
	r := run(t, s, only(t, ricartagrawala.Protocol, "mutual exclusion"), sample.Options{Schedules: 3, Seed: 5, Workers: 1, Interrupt: interrupt,
		Taken: func(int, *world.World, world.Record) {
			if steps++; steps == 7 {
				close(interrupt)
			}
		}})
	assert.Equal(t, 7, steps)
	assert.Equal(t, sample.Interrupted, r.Stop)
	assert.Zero(t, r.Schedules)
}

// What a schedule violates is told though one before it is interrupted.
func TestFoundBehindAnInterruptedSchedule(t *testing.T) {
	s := system(t, ricartagrawala.Protocol, "always-polite", model.Config{N: 2})
	interrupt := make(chan struct{})
	stop := sync.OnceFunc(func() { close(interrupt) })
	r := run(t, s, only(t, ricartagrawala.Protocol, "mutual exclusion"), sample.Options{Schedules: 16, Seed: 5, Workers: 2, Interrupt: interrupt,
		Taken: func(schedule int, _ *world.World, _ world.Record) {
			switch {
			case schedule == 0:
				<-interrupt
			case schedule == 15: // the other worker's last
				stop()
			}
		}})
	assert.Equal(t, sample.Interrupted, r.Stop)
	require.Len(t, r.Violations, 1)
	assert.Equal(t, "mutual exclusion", r.Violations[0].Claim)
	assert.Positive(t, r.Violations[0].Schedule)
}

// told is a result with its violations as people read them.
// The steps of all schedules together may be bounded: sampling ends behind the first schedule that takes the last of them,
// however many run side by side.
func TestStepsEndSampling(t *testing.T) {
	s := system(t, ricartagrawala.Protocol, "", model.Config{N: 3})
	claims := only(t, ricartagrawala.Protocol, "mutual exclusion")
	whole := run(t, s, claims, sample.Options{Schedules: 20, Seed: 5, Workers: 1})
	for _, workers := range []int{1, 2, 5} {
		for _, steps := range []int64{whole.Steps, whole.Steps - 1} {
			r := run(t, s, claims, sample.Options{Schedules: 1000, Steps: steps, Seed: 5, Workers: workers})
			assert.Equal(t, sample.Spent, r.Stop)
			assert.Equal(t, whole.Schedules, r.Schedules, "%d workers", workers)
			assert.Equal(t, whole.Steps, r.Steps)
		}
	}
}

func told(s *model.System, r sample.Result) any {
	var violations []string
	for _, f := range r.Violations {
		violations = append(violations, fmt.Sprint(f.Claim, f.Text, f.Schedule, f.Maker)+sample.Text(s, f.Records, f.Parts))
	}
	r.Violations = nil
	return []any{r, violations}
}
