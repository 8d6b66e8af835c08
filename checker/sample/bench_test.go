package sample

import (
	"fmt"
	"slices"
	"testing"

	"contend/checker/sample/strategy"
	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// Schedules a second by one worker, live and in the interpreter.
func BenchmarkSchedules(b *testing.B) {
	ops := func(clients int) model.Config {
		return model.Config{N: 7, B: 1}.With(model.Clients.Is(clients), model.Ops.Is(2))
	}
	for _, c := range []struct {
		p      *model.Protocol
		name   string
		config model.Config
		timed  bool
		claims []string // nil: all
	}{
		// Its states and messages are large: whole replicated objects, and clients that keep what every server answered.
		{ordering.Protocol, "n = 7, b = 1", model.Config{N: 7, B: 1}, false, nil},
		{ordering.Protocol, "n = 7, b = 1, Theorem 1 alone", model.Config{N: 7, B: 1}, false, []string{"Theorem 1"}},
		{ordering.Protocol, "n = 7, b = 1, 2 clients", ops(2), false, nil},
		{ordering.Protocol, "n = 7, b = 1, 3 clients", ops(3), false, nil},
		{ordering.Protocol, "n = 7, b = 1, 3 clients, timed", ops(3), true, nil},
		{ordering.Protocol, "n = 3", model.Config{N: 3}, false, nil},
		{backoff.Protocol, "n = 6, b = 1", model.Config{N: 6, B: 1}, false, nil},
		{backoff.Protocol, "n = 6, b = 1, timed", model.Config{N: 6, B: 1}.With(model.Clients.Is(2), backoff.Tries.Is(3)), true, nil},
		{ricartagrawala.Protocol, "n = 3", model.Config{N: 3}, false, nil},
		{ricartagrawala.Protocol, "n = 5", model.Config{N: 5}, false, nil},
	} {
		for _, live := range []bool{true, false} {
			b.Run(fmt.Sprintf("%s %s/live=%v", c.p.Name, c.name, live), func(b *testing.B) {
				benchmark(b, c.p, c.config, c.claims, c.timed, live, nil)
			})
		}
	}
}

// Schedules a second of each strategy.
func BenchmarkStrategies(b *testing.B) {
	for _, k := range strategy.All() {
		b.Run(k.Name, func(b *testing.B) {
			benchmark(b, ordering.Protocol, model.Config{N: 7, B: 1}, nil, false, true, k.New())
		})
	}
}

func benchmark(b *testing.B, p *model.Protocol, c model.Config, names []string, timed, live bool, by strategy.Strategy) {
	s, err := p.System("", c)
	if err != nil {
		b.Fatal(err)
	}
	reading := model.Untimed
	if timed {
		reading = model.Dense
	}
	claims := slices.DeleteFunc(slices.Clone(p.Claims), func(c model.Claim) bool {
		return len(c.Unmet(s, reading)) > 0 || names != nil && !slices.Contains(names, c.Name)
	})
	sm, err := newSampler(s, claims, Options{Schedules: twiceFirst + b.N, Seed: 1, Timed: timed, Strategy: by, Workers: 1})
	if err != nil {
		b.Fatal(err)
	}
	if live {
		if err := sm.live(); err != nil {
			b.Fatal(err)
		}
	} else {
		sm.purity = nil // it runs no handler twice
	}
	b.ResetTimer()
	for i := twiceFirst; i < twiceFirst+b.N; {
		if i, err = sm.batch(i); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(sm.result.Schedules)/b.Elapsed().Seconds(), "schedules/s")
	b.ReportMetric(float64(sm.result.Steps)/float64(sm.result.Schedules), "steps/schedule")
}
