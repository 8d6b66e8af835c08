package check

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verdict"
	"contend/impl/multicast"
	"contend/impl/multicast/nack"
	"contend/model"
)

// A finding excuses a violation where its record says so, and nowhere else. The claim agreement of
// multicast-nack breaks when a message is lost, and holds else.
func TestFindingExcusesOnlyItsConditions(t *testing.T) {
	small := model.Config{N: 2}.With(model.Ops.Is(1), multicast.Senders.Is(1))
	lossy := small
	lossy.Faults.Loss = 1
	for _, x := range []struct {
		name    string
		config  model.Config // that is checked
		edit    func(f *model.Finding)
		broken  bool // the protocol has another bug, which needs no loss
		is      verdict.Verdict
		finding string
		excused string
	}{
		{name: "as recorded", config: lossy, is: verdict.Violated, finding: "the-last-message"},
		{name: "a new bug without a loss", config: small, broken: true, is: verdict.Violated},
		{name: "a new bug with a loss is hidden", config: lossy, broken: true, is: verdict.Violated, finding: "the-last-message"},
		{name: "without a loss", config: small, is: verdict.Holds},
		{
			name: "another least configuration", config: small, broken: true, is: verdict.Violated, finding: "the-last-message",
			edit: func(f *model.Finding) { f.Breaks = []model.Config{{N: 2}} },
		},
		{
			name: "recorded to hold there", config: lossy, is: verdict.Violated,
			edit: func(f *model.Finding) { f.Holds = []model.Config{{N: 2, Faults: model.Faults{Loss: 1}}} },
		},
		{
			name: "it holds, and a violation would be excused", config: small, is: verdict.Holds, excused: "the-last-message",
			edit: func(f *model.Finding) { f.Breaks = []model.Config{{N: 2}} },
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			p := *nack.Protocol
			p.Findings = slices.DeleteFunc(slices.Clone(p.Findings), func(f model.Finding) bool { return f.Claim != "agreement" })
			if x.edit != nil {
				x.edit(&p.Findings[0])
			}
			if x.broken {
				deafen(&p)
			}
			rows, err := Run(&p, model.Check{Config: x.config, Claims: []string{"agreement"}}, verdict.Options{})
			require.NoError(t, err)
			c := rows[0].Claims[0]
			assert.Equal(t, x.is, c.Verdict, c.Text)
			assert.Equal(t, x.finding, c.Finding)
			assert.Equal(t, x.excused, c.Excused)
			assert.Equal(t, c.Verdict == verdict.Violated && c.Finding == "", c.Unrecorded == "the-last-message", "what it names as unrecorded")
		})
	}
}

// deafen edits the protocol in systems without a loss: the second node takes no messages. Where a
// message may be lost it is as printed, so that the kept trace reproduces.
func deafen(p *model.Protocol) {
	build := p.Build
	p.Build = func(c model.Config) (*model.System, error) {
		s, err := build(c)
		if err == nil && c.Faults.Loss == 0 {
			s.Nodes[1].New = func() model.Node { return &deaf{} }
		}
		return s, err
	}
}

// A deaf node hears nothing.
type deaf struct{}

func (*deaf) Receive(model.Env, model.NodeID, any) {}

// A finding that is recorded for a configuration in which the claim holds is wrong.
func TestFindingThatHolds(t *testing.T) {
	p := *nack.Protocol
	p.Findings = slices.DeleteFunc(slices.Clone(p.Findings), func(f model.Finding) bool { return f.Claim != "agreement" })
	row := &verdict.Row{Protocol: p.Name, Time: model.Untimed.String(), Claims: []verdict.ClaimResult{{Name: "agreement", Verdict: verdict.Holds}}}
	row.Config = verdict.NewConfig(&p, p.Filled(model.Config{N: 2}.With(model.Ops.Is(1), multicast.Senders.Is(1))))
	row.Faults = model.Faults{Loss: 1}
	verdict.Recognize(&p, row)
	c := row.Claims[0]
	assert.Equal(t, verdict.Violated, c.Verdict)
	assert.True(t, strings.Contains(c.Text, "but it holds"), c.Text)
}
