package view

import (
	_ "embed" // the traces of findings
	"fmt"
	"slices"

	"contend/impl/multicast"
	"contend/model"
	"contend/model/variant"
)

// Protocol is the suite's entry.
var Protocol = &model.Protocol{
	Name:   "multicast-view",
	Title:  "atomic multicast: view-synchronous, with joins, leaves and crashes",
	Source: "SDX lecture",
	Params: []model.Parameter{multicast.Processes, multicast.Messages.WithRange(0, 64), multicast.Senders, Joiners, Leavers, MayCrash, model.Delay},
	Build:  build,
	Claims: claimed, Properties: properties, Costs: costed, Variants: slices.Concat(options, mutants),
	Checks: checks, Deep: deep, Findings: findings,
}

// The processes that join, that leave, and that may crash.
var (
	Joiners  = model.Param[int]{Name: "joiners", Meaning: "how many processes join: the last ones; the others are members from the beginning", Most: 31}
	MayCrash = model.Param[int]{Name: "may-crash", Meaning: "how many processes may crash: the first ones", Most: 32, All: true}
	Leavers  = model.Param[int]{Name: "leavers", Meaning: "how many processes leave when they have sent their messages: the first ones", Most: 31}
)

// findings are the claims that are false as printed: see docs/findings.md.
var findings = []model.Finding{
	{Name: "all-or-none", Claim: multicast.UniformAgreement, Trace: uniformRefuted},
	{Name: "atomic-in-two-senses", Claim: multicast.TotalOrder, Trace: orderRefuted},
	{Name: "late-messages", Variant: "takes-late", Claim: "virtual synchrony", Trace: lateRefuted},
}

var (
	//go:embed findings/uniform-agreement.json
	uniformRefuted []byte
	//go:embed findings/total-order.json
	orderRefuted []byte
	//go:embed findings/takes-late.json
	lateRefuted []byte
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

// newConfig returns the configuration of the algorithm.
func newConfig(c model.Config) *Config {
	cfg := &Config{Service: model.NodeID(c.N), spec: Spec{faulty(c)}}
	for i := range c.N - Joiners.Of(c) {
		cfg.Founders = append(cfg.Founders, model.NodeID(i))
	}
	return cfg
}

// faulty returns the number of processes that may crash: the first ones.
func faulty(c model.Config) int {
	if c.Faults.Crashes == 0 {
		return 0
	}
	if f := MayCrash.Of(c); f > 0 {
		return f
	}
	return c.N
}

// script returns the operations of an application: it joins if necessary, multicasts, and leaves.
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

var (
	views  = []string{"view agreement", "view order", "self-inclusion", "members only", "sending view delivery", "nothing from before joining"}
	lively = []string{multicast.Validity, multicast.Agreement, "progress", "current members", "operations return"}
	// kept are the claims that hold with all failures of the text.
	kept     = slices.Concat([]string{"virtual synchrony", multicast.Integrity}, views, lively)
	pictures = []string{"lost with its sender", "completed by the others"}
)

var checks = []model.Check{
	{Config: multicast.Sized(3, 0, 1), Claims: []string{multicast.Integrity, multicast.Validity, multicast.Agreement, multicast.TotalOrder, "sending view delivery"}},
	claiming(crashing(multicast.Sized(3, 1, 1), 1), kept, pictures, []string{multicast.UniformAgreement}),
	claiming(crashing(multicast.Sized(3, 2, 1).With(MayCrash.Is(1)), 1), kept),
	claiming(check(multicast.Sized(3, 1, 1).With(Joiners.Is(1), Leavers.Is(1))), kept),
	claiming(crashing(multicast.Sized(3, 1, 1).With(Joiners.Is(1), MayCrash.Is(1)), 1), kept),
	claiming(crashing(multicast.Sized(3, 1, 1).With(Leavers.Is(1), MayCrash.Is(1)), 1), kept),
	claiming(failing(multicast.Sized(3, 1, 1).With(Joiners.Is(1)), model.Faults{Duplication: 1}), kept),
	claiming(failing(multicast.Sized(3, 1, 1).With(MayCrash.Is(1)), model.Faults{Crashes: 1, Loss: 1}), views, []string{multicast.Integrity}),
	claiming(failing(multicast.Sized(3, 1, 1), model.Faults{Suspicions: 1}), views, []string{multicast.Integrity, "progress"}),
	claiming(reading(crashing(multicast.Sized(3, 1, 1).With(MayCrash.Is(1)), 1), model.Grid), kept),
	claiming(sampled(crashing(multicast.Sized(4, 0, 1).With(Joiners.Is(1), Leavers.Is(1)), 2), 200), []string{"virtual synchrony", multicast.Integrity}, views),
	claiming(of("uniform", crashing(multicast.Sized(3, 1, 1), 1)), kept, []string{multicast.UniformAgreement, "uniform virtual synchrony"}),
	claiming(of("ordered", crashing(multicast.Sized(3, 2, 1).With(MayCrash.Is(1)), 1)), []string{multicast.TotalOrder, "virtual synchrony", multicast.Integrity}, lively),
	claiming(of("takes-late", crashing(multicast.Sized(3, 1, 1), 1)), []string{"virtual synchrony"}),
}

// deep are checks of minutes.
var deep = []model.Check{
	claiming(crashing(multicast.Sized(3, 1, 3), 1), kept),
	claiming(crashing(multicast.Sized(3, 3, 1).With(MayCrash.Is(1)), 1), kept),
	claiming(crashing(multicast.Sized(3, 3, 2).With(MayCrash.Is(1)), 1), []string{"virtual synchrony", "sending view delivery"}),
	claiming(crashing(multicast.Sized(3, 2, 2), 1), kept),
	claiming(crashing(multicast.Sized(3, 2, 1).With(Leavers.Is(1)), 1), kept),
	claiming(crashing(multicast.Sized(3, 1, 1).With(Joiners.Is(1)), 2), kept),
	claiming(of("uniform", crashing(multicast.Sized(3, 2, 1), 1)), kept, []string{multicast.UniformAgreement, "uniform virtual synchrony"}),
}

func claiming(c model.Check, claims ...[]string) model.Check {
	c.Claims = slices.Concat(claims...)
	return c
}

func failing(c model.Config, f model.Faults) model.Check {
	return check(variant.Faulty(c, f))
}

func reading(c model.Check, r model.Reading) model.Check {
	c.Reading = r
	return c
}

func sampled(c model.Check, schedules int) model.Check {
	c.Reading, c.Schedules = model.Dense, schedules
	return c
}

func of(variant string, c model.Check) model.Check {
	c.Variant = variant
	return c
}
