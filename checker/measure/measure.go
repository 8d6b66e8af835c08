// Package measure measures how long t clients of a protocol wait that begin to contend at the same instant.
// For each t it simulates many independent runs, see [simulate]. It estimates the amortized system response
// time with confidence intervals, fits laws of growth, and assesses the paper's statements. It decides no
// claim: a measurement covers one law of delays and finitely many t.
package measure

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"

	"contend/checker/measure/simulate"
	"contend/model"
	"contend/model/describe"
)

// A Report has the results of a measurement.
type Report struct {
	Config      model.Config // with defaults; Clients is that of some point
	Study       *model.Study
	Points      []Point
	Fits        []Fit
	Assessments []Assessment
	Interrupted bool
}

// Measure measures variants of a protocol; "" is the protocol itself. Defaults of the protocol complete the
// configuration. The error is one sentence about invalid input, naming field and rule, or about a handler's
// invalid request.
func Measure(p *model.Protocol, variants []string, c model.Config, opt Options) (*Report, error) {
	m := &measuring{p: p, c: p.Filled(c), opt: opt, began: time.Now()}
	if _, ok := p.Declared(model.Ops.Name); ok {
		m.c = m.c.With(model.Ops.Is(1))
	}
	if err := m.validate(variants); err != nil {
		return nil, err
	}
	for _, variant := range variants {
		for _, faulty := range opt.Faulty {
			if err := m.series(Series{p.Name, variant, faulty}); err != nil {
				return nil, err
			}
		}
	}
	m.report.Study = p.Study
	m.report.conclude()
	return &m.report, nil
}

// A measuring is a measurement in progress.
type measuring struct {
	p       *model.Protocol
	c       model.Config
	opt     Options
	began   time.Time
	planned int // number of points
	report  Report
}

// validate returns an error if the measurement is impossible.
func (m *measuring) validate(variants []string) error {
	if m.p.Study == nil {
		return fmt.Errorf("protocol %s has no study: set its field Study to say what to measure; go doc contend/model.Study describes it", m.p.Name)
	}
	if _, ok := m.p.Declared(model.Clients.Name); !ok {
		return fmt.Errorf("protocol %s has no clients that could contend: it reads no --clients", m.p.Name)
	}
	if err := m.opt.validate(m.c); err != nil {
		return err
	}
	for _, variant := range variants {
		for _, faulty := range m.opt.Faulty {
			if _, err := m.setting(Series{m.p.Name, variant, faulty}, m.opt.Contenders[0], simulate.Silent); err != nil {
				return err
			}
		}
	}
	m.planned = len(variants) * len(m.opt.Faulty) * len(m.opt.Contenders)
	return nil
}

// setting returns the setting of a series with t contenders.
func (m *measuring) setting(series Series, t int, faulty simulate.Behaviour) (*simulate.Setting, error) {
	c, p := m.c.With(model.Clients.Is(t)), m.p
	if series.Faulty == "none" {
		p = honest(p)
	}
	s, err := p.Crowd(series.Variant, c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.p.Name, err)
	}
	m.report.Config = s.Config
	setting, err := simulate.New(s, m.opt.Law, faulty, m.opt.MaxEvents)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.p.Name, err)
	}
	return setting, nil
}

// honest returns a protocol without faulty servers that still counts with b. Variants edit the correct
// servers.
func honest(p *model.Protocol) *model.Protocol {
	q := *p
	q.Build = func(c model.Config) (*model.System, error) {
		s, err := p.Build(c)
		if err != nil {
			return nil, err
		}
		for i := range s.Nodes {
			if s.Nodes[i].Byzantine = false; s.Nodes[i].New == nil {
				return nil, fmt.Errorf("faulty has none, but node %s has no code to run when it is correct", s.Nodes[i].Name)
			}
		}
		return s, nil
	}
	return &q
}

// series measures one series at each number of contenders.
func (m *measuring) series(series Series) error {
	faulty, says, err := m.behaviour(series)
	if err != nil {
		return err
	}
	for _, t := range m.opt.Contenders {
		if m.interrupted() {
			return nil
		}
		setting, err := m.setting(series, t, faulty)
		if err != nil {
			return err
		}
		runs, err := m.runs(series, t, setting, m.opt.Runs)
		if err != nil || runs == nil {
			return err
		}
		p := Point{Schema: 1, Kind: "point", Series: series, T: t, Runs: len(runs), Says: says,
			RoundTrip: float64(roundTrip(setting.System)), Unit: float64(m.p.Study.Unit(setting.System.Config))}
		runs = slices.DeleteFunc(runs, func(r simulate.Run) bool { return r.Unfinished })
		if p.Unfinished = p.Runs - len(runs); len(runs) >= 2 {
			p.measured(runs, rand.New(rand.NewPCG(m.seed(series, "bootstrap", t), 0)))
		}
		m.report.Points = append(m.report.Points, p)
		if m.opt.Each != nil {
			if err := m.opt.Each(p); err != nil {
				return err
			}
		}
	}
	return nil
}

// roundTrip returns the longest round trip between a client and a server, in ticks.
func roundTrip(s *model.System) model.Ticks {
	var most model.Ticks
	for i, from := range s.Nodes {
		for j, to := range s.Nodes {
			if len(from.Script) > 0 && len(to.Script) == 0 {
				there, back := s.Network.Window(model.NodeID(i), model.NodeID(j)), s.Network.Window(model.NodeID(j), model.NodeID(i))
				most = max(most, there.Hi.At+back.Hi.At)
			}
		}
	}
	return most
}

// Bounds of the search for the worst behaviour.
const (
	placesTried  = 8
	trialClients = 8
	trialRuns    = 50
)

// behaviour returns the behaviour of a series' faulty servers. For "worst", says is an example of their
// messages.
func (m *measuring) behaviour(series Series) (b simulate.Behaviour, says string, err error) {
	switch series.Faulty {
	case "random":
		return simulate.Random, "", nil
	case "worst":
		return m.worst(series)
	}
	return simulate.Silent, "", nil
}

// worst returns the worst behaviour among the first indices of the alphabet, by the total wait in the same
// trial runs.
func (m *measuring) worst(series Series) (worst simulate.Behaviour, says string, err error) {
	longest := -1.0
	for place, places := 0, 1; place < min(places, placesTried) && !m.interrupted(); place++ {
		setting, err := m.setting(series, trialClients, simulate.Stubborn(place))
		if err != nil {
			return worst, "", err
		}
		runs, err := m.runs(series, trialClients, setting, trialRuns)
		if err != nil {
			return worst, "", err
		}
		wait, message := 0.0, any(nil)
		for _, r := range runs {
			places = max(places, r.Alphabet)
			if r.LastMessage != nil {
				message = r.LastMessage
			}
			for _, w := range r.Waits {
				wait += w.Ticks()
			}
		}
		if wait > longest {
			longest, worst, says = wait, simulate.Stubborn(place), describe.Value(message, setting.System.Name)
		}
	}
	return worst, says, nil
}

// seed returns a hash of the seed and of a point's name. So a point does not depend on the other points.
func (m *measuring) seed(series Series, what string, t int) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %q %q %q %q %d", m.opt.Seed, series.Protocol, series.Variant, series.Faulty, what, t)
	return h.Sum64()
}

func (m *measuring) interrupted() bool {
	select {
	case <-m.opt.Interrupt:
		m.report.Interrupted = true
	default:
	}
	return m.report.Interrupted
}
