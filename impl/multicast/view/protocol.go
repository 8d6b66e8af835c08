package view

import (
	"fmt"
	"slices"

	"contend/impl/multicast"
	"contend/model"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multicast-view",
	Title:  "atomic multicast: view-synchronous, with joins, leaves and crashes",
	Source: "SDX lecture",
	Params: []model.Parameter{multicast.Processes, multicast.Messages.WithRange(0, 64), multicast.Senders, Joiners, Leavers, MayCrash, model.Delay},
	Build:  build,
	Claims: claimed, Properties: properties, Costs: costed, Variants: slices.Concat(options, mutants),
	Checks: []model.Check{{}},
}

// Who joins, who leaves, and who may crash.
var (
	Joiners  = model.Param[int]{Name: "joiners", Meaning: "processes that join, the last so many; the others are members from the beginning", Most: 31}
	MayCrash = model.Param[int]{Name: "may-crash", Meaning: "processes that may crash, the first so many; 0 stands for all", Most: 32}
	Leavers  = model.Param[int]{Name: "leavers", Meaning: "processes that leave when they have sent their messages, the first so many", Most: 31}
)

func build(c model.Config) (*model.System, error) {
	if err := refuse(c); err != nil {
		return nil, err
	}
	cfg := newConfig(c)
	s := &model.System{
		Config:   c,
		Network:  model.Network{Channel: model.FIFO, Delay: model.By(model.Delay.Of(c))},
		Detector: model.Detector{Kind: model.Perfect, Report: model.By(model.Delay.Of(c))},
		Types: []any{
			multicast.Multicast{}, multicast.Message{}, Join{}, Leave{}, View{}, Data{}, Flush{},
			Installed{}, Announced{}, Transmitted{}, next{},
		},
		Setup: cfg,
	}
	if c.Faults.Suspicions > 0 {
		s.Detector.Kind, s.Detector.Mistake = model.EventuallyPerfect, model.By(model.Delay.Of(c))
	}
	s.Nodes = multicast.Specs(c, func(model.NodeID) model.Node { return &Process{cfg: cfg} })
	for i := range s.Nodes {
		s.Nodes[i].Crash, s.Nodes[i].Script = model.NoCrashes, script(c, i)
		if i < faulty(c) {
			s.Nodes[i].Crash = model.CrashStop
		}
	}
	s.Nodes = append(s.Nodes, model.NodeSpec{
		Name: "service", Role: model.Server, Crash: model.NoCrashes,
		New: func() model.Node { return &Service{cfg: cfg} },
	})
	return s, nil
}

func refuse(c model.Config) error {
	if err := multicast.CheckSenders(c); err != nil {
		return err
	}
	switch founders := c.N - Joiners.Of(c); {
	case founders < 1:
		return fmt.Errorf("joiners is %d, but must be less than n = %d", Joiners.Of(c), c.N)
	case MayCrash.Of(c) > c.N:
		return fmt.Errorf("may-crash is %d, but must be at most n = %d", MayCrash.Of(c), c.N)
	case Leavers.Of(c) > c.N:
		return fmt.Errorf("leavers is %d, but must be at most n = %d", Leavers.Of(c), c.N)
	}
	return nil
}

// newConfig is the algorithm.
func newConfig(c model.Config) *Config {
	cfg := &Config{
		Service:  model.NodeID(c.N),
		Send:     atOnce,
		Accepts:  func(_ any, from model.NodeID, down []model.NodeID) bool { return !slices.Contains(down, from) },
		Flushes:  true,
		Late:     (*Process).forward,
		InEffect: func(ready []View) []View { return ready },
		Forward:  func(self model.NodeID, d Data, _ View) bool { return d.Message.Sender != self },
		Awaits:   func(_ model.NodeID, flushed int, to View) bool { return flushed < to.Number },
		Keeps:    func(d Data, in int) bool { return d.View >= in },
		Deliver:  func(d Data, in int) bool { return d.View == in },
	}
	if c.Faults.Crashes > 0 {
		cfg.Send = oneByOne(faulty(c))
	}
	for i := range c.N - Joiners.Of(c) {
		cfg.Founders = append(cfg.Founders, model.NodeID(i))
	}
	return cfg
}

// faulty is how many processes may crash: the first so many.
func faulty(c model.Config) int {
	if f := MayCrash.Of(c); f > 0 {
		return f
	}
	return c.N
}

// script is what an application does: it joins where it has to, multicasts, and leaves.
func script(c model.Config, index int) []model.Op {
	script := multicast.Script(c, index)
	if index >= c.N-Joiners.Of(c) {
		script = slices.Insert(script, 0, model.Op{Call: Join{}, After: model.Anytime()})
	}
	if index < Leavers.Of(c) {
		script = append(script, model.Op{Call: Leave{}, After: model.Anytime()})
	}
	return script
}
