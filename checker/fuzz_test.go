package checker

import (
	"errors"
	"testing"

	"contend/checker/sample"
	"contend/checker/verify/starter"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
)

// tries runs a target on random bytes and returns the first error.
func tries(tg Target, runs uint64) error {
	for seed := range runs {
		if _, err := tg.Run(randomBytes(seed, 300)); err != nil {
			return err
		}
	}
	return nil
}

// A target without a Configure runs the protocol's checks, and systems that are larger, but
// not its mutants.
func TestFuzzPicksChecks(t *testing.T) {
	p := *starter.Protocol
	p.Checks = []model.Check{{}, {Config: model.Config{}.With(model.Clients.Is(3), model.Ops.Is(1))}, {Variant: "grants-twice"}}
	tg, met := Target{Protocol: &p}, map[[2]int]bool{}
	for seed := range uint64(400) {
		trial, err := tg.Trial(sample.Bytes(randomBytes(seed, 20)), false)
		if err != nil {
			t.Fatal(err)
		}
		c := trial.World.System.Config
		met[[2]int{model.Clients.Of(c), model.Ops.Of(c)}] = true
	}
	if len(met) != 14 || !met[[2]int{2, 2}] || !met[[2]int{5, 3}] || !met[[2]int{3, 1}] {
		t.Errorf("clients and operations: %v", met)
	}
	if err := tries(tg, 200); err != nil {
		t.Error(err)
	}
}

// Where a larger system cannot be built, the check itself is run.
func TestFuzzStaysWithinBounds(t *testing.T) {
	p := *backoff.Protocol
	p.Checks = []model.Check{{Config: model.Config{N: 32}.With(model.Clients.Is(32), model.Ops.Is(1000), backoff.Tries.Is(1))}}
	for seed := range uint64(5) {
		if _, err := (Target{Protocol: &p}).Trial(sample.Bytes(randomBytes(seed, 20)), false); err != nil {
			t.Error(err)
		}
	}
}

// A claim of which a finding is recorded is not watched, nor one that the check leaves out.
func TestFuzzLeavesOutWhatIsKnown(t *testing.T) {
	at := func(findings []model.Finding, claims []string) error {
		p := *ricartagrawala.Protocol
		p.Findings = findings
		return tries(Target{Protocol: &p, Configure: func(sample.Choices) model.Check {
			return model.Check{Config: model.Config{N: 3}.With(model.Ops.Is(2)), Claims: claims}
		}}, 600)
	}
	var broken *Broken
	if err := at(nil, nil); !errors.As(err, &broken) || broken.Claim != "happened-before order" {
		t.Errorf("nothing is recorded: %v", err)
	}
	if err := at(ricartagrawala.Protocol.Findings, nil); err != nil {
		t.Errorf("it is recorded: %v", err)
	}
	if err := at(nil, []string{"mutual exclusion"}); err != nil {
		t.Errorf("it is left out: %v", err)
	}
}

// An impure handler does not pass.
func TestFuzzFindsImpureHandlers(t *testing.T) {
	p, calls := *starter.Protocol, 0
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := starter.Protocol.Build(c)
		s.Nodes[0].New = func() model.Node { return &moody{calls: &calls} }
		return s, err
	}
	err := tries(Target{Protocol: &p}, 20)
	if err == nil || errors.As(err, new(*Broken)) {
		t.Errorf("the error is %v", err)
	}
}

// moody is a server that grants every other request at once.
type moody struct {
	calls *int
	Held  int
}

func (m *moody) Receive(env model.Env, from model.NodeID, _ any) {
	*m.calls++
	m.Held = *m.calls % 2
}
