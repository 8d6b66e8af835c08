package fuzzing

import (
	"errors"
	"testing"

	"contend/checker/check"
	"contend/checker/sample"
	"contend/checker/shrink"
	"contend/checker/verdict"
	"contend/checker/verify/starter"
	"contend/impl/backoff"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/traces/replay"
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

// A run that ends without a goal violates the Eventually claim, as a sampled schedule does: with the same words, and with a trace that
// replays. One that may go on does not, nor one of a claim that the check leaves out or whose assumption is not met.
func TestFuzzJudgesEndedRuns(t *testing.T) {
	const claim = "every request is granted"
	p := *starter.Protocol
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := starter.Protocol.Build(c)
		if err == nil {
			s.Nodes[0].New = func() model.Node { return &mute{} }
		}
		return s, err
	}
	at := func(check model.Check) Target {
		return Target{Protocol: &p, Configure: func(sample.Choices) model.Check { return check }}
	}
	var broken *Broken
	if err := tries(at(model.Check{}), 20); !errors.As(err, &broken) || broken.Claim != claim {
		t.Fatalf("the server is mute: %v", err)
	}
	rows, err := check.Run(&p, model.Check{Reading: model.Dense, Schedules: 20, Claims: []string{claim}}, verdict.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sampled := rows[0].Claims[0].Counterexample
	if sampled == nil || sampled.Text != broken.Text || sampled.Claim != broken.Trace.Claim || sampled.Text != broken.Trace.Text {
		t.Errorf("sampled %+v; the input: %v", sampled, broken)
	}
	if run, err := replay.Replay(&p, broken.Trace, nil); err != nil || !run.World.Quiescent() || len(run.World.Missed()) != 1 {
		t.Errorf("the trace does not end without the goal: %v", err)
	}
	if small, _ := shrink.Sampled(verdict.Options{}, &p, broken.Trace, nil); small.Claim != claim || len(small.Steps) > len(broken.Trace.Steps) {
		t.Errorf("made smaller: %+v", small)
	}
	is := at(model.Check{}).Inputs(1, 50, nil, nil)
	if is.Err != nil || len(is.Broken) != 1 || is.Broken[0].Claim != claim {
		t.Errorf("inputs: %+v", is)
	}
	for what, check := range map[string]model.Check{
		"left out":            {Claims: []string{"mutual exclusion"}},
		"an assumption fails": {Config: model.Config{Faults: model.Faults{Loss: 1}}},
	} {
		if err := tries(at(check), 20); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := tries(Target{Protocol: starter.Protocol}, 50); err != nil {
		t.Errorf("the server answers: %v", err)
	}
}

// mute is a server that answers nobody.
type mute struct{}

func (*mute) Receive(model.Env, model.NodeID, any) {}

// An impure handler does not pass.
func TestFuzzFindsImpureHandlers(t *testing.T) {
	p, calls := *starter.Protocol, 0
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := starter.Protocol.Build(c)
		s.Nodes[0].New = func() model.Node { return &moody{calls: &calls} }
		return s, err
	}
	err := tries(Target{Protocol: &p, Configure: func(sample.Choices) model.Check { return model.Check{Claims: []string{"mutual exclusion"}} }}, 20)
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
