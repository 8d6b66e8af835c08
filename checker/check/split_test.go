package check

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"contend/checker/search"
	"contend/checker/verdict"
	"contend/model"
)

// asking asks many servers, which are alike, and returns when all have answered.
type asking struct {
	servers []model.NodeID
	Heard   map[model.NodeID]bool
}

func (a *asking) Invoke(env model.Env, _ any) { env.Broadcast(a.servers, "ask") }

func (a *asking) Receive(env model.Env, from model.NodeID, _ any) {
	if a.Heard[from] = true; len(a.Heard) == len(a.servers) {
		env.Return(nil)
	}
}

type answering struct{ Asked bool }

func (a *answering) Receive(env model.Env, from model.NodeID, _ any) {
	a.Asked = true
	env.Send(from, "answer")
}

// crowd has one client and eight servers: some 3⁸ states, of which symmetry leaves a hundredth.
func crowd(claims ...model.Claim) *model.Protocol {
	build := func(c model.Config) (*model.System, error) {
		s := &model.System{Config: c, Types: []any{""}}
		var servers []model.NodeID
		for i := range 8 {
			servers = append(servers, model.NodeID(i))
			s.Nodes = append(s.Nodes, model.NodeSpec{Role: model.Server, Name: "s" + string(rune('1'+i)), New: func() model.Node { return &answering{} }})
		}
		s.Nodes = append(s.Nodes, model.NodeSpec{Name: "client", Role: model.Client, Script: []model.Op{{Call: "go"}},
			New: func() model.Node { return &asking{servers: servers} }})
		return s, nil
	}
	return &model.Protocol{Name: "crowd", Build: build, Claims: claims}
}

var (
	fair     = model.Claim{Name: "fair", Kind: model.Eventually, Done: true}
	possible = model.Claim{Name: "possible", Kind: model.PossibleFromEverywhere, Done: true}
	safe     = model.Claim{Name: "safe", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if len(nodes[8].(*asking).Heard) > 8 {
			return errors.New("there are eight servers")
		}
		return nil
	}}
	asks = model.Claim{Name: "asks at least ten", Kind: model.Always, Assumes: []model.Assumption{model.Timed}, Done: true}
)

// rowsOf checks a protocol, and says of each row its claims with their verdicts.
func rowsOf(t *testing.T, p *model.Protocol, opt verdict.Options) (rows []*verdict.Row, said []string) {
	t.Helper()
	rows, err := Run(p, model.Check{}, opt)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		var words []string
		for _, c := range row.Claims {
			words = append(words, c.Name+" "+string(c.Verdict))
		}
		said = append(said, strings.Join(words, ", "))
	}
	return rows, said
}

// A claim under fairness allows no reduction. Where that makes a search too large, it costs the others
// nothing: they are searched before it, apart, and their rows say so.
func TestALivenessClaimCostsNoOtherItsVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		opt  verdict.Options
		want []string
	}{
		"a small search":    {verdict.Options{}, []string{"asks at least ten not claimed, fair holds, possible holds, safe holds"}},
		"few states":        {verdict.Options{MaxStates: 2000}, []string{"asks at least ten not claimed, safe holds", "possible holds", "fair inconclusive"}},
		"hardly any states": {verdict.Options{MaxStates: 20}, []string{"asks at least ten not claimed, safe inconclusive", "possible inconclusive", "fair inconclusive"}},
	} {
		t.Run(name, func(t *testing.T) {
			rows, said := rowsOf(t, crowd(fair, asks, possible, safe), c.opt)
			if !slices.Equal(said, c.want) {
				t.Errorf("rows are %q, want %q", said, c.want)
			}
			for _, row := range rows {
				if noted := strings.Contains(strings.Join(row.Notes, "\n"), "searched apart from "); noted != (len(rows) > 1) {
					t.Errorf("of %d rows one says %q", len(rows), row.Notes)
				}
			}
		})
	}
}

// What makes a search large without a limit that was asked for is found out after a share of it.
func TestALargeSearchIsMadeApart(t *testing.T) {
	rows, said := rowsOf(t, crowd(fair, safe), verdict.Options{Together: 2000})
	if want := []string{"safe holds", "fair holds"}; !slices.Equal(said, want) {
		t.Fatalf("rows are %q, want %q", said, want)
	}
	if rows[0].States > 500 || rows[1].States < 6_000 || len(rows[0].Reductions) == 0 || len(rows[1].Reductions) > 0 {
		t.Errorf("%d states with reductions %q, and %d with %q", rows[0].States, rows[0].Reductions, rows[1].States, rows[1].Reductions)
	}
}

// A search that is stopped from outside is not begun again.
func TestAnInterruptEndsTheWholeCheck(t *testing.T) {
	interrupt := make(chan struct{})
	close(interrupt)
	rows, said := rowsOf(t, crowd(fair, safe), verdict.Options{Interrupt: interrupt, Timeout: time.Hour})
	if want := []string{"fair inconclusive, safe inconclusive"}; !slices.Equal(said, want) || rows[0].Limit.Code != search.Interrupted {
		t.Errorf("rows are %q, want %q; limit %q", said, want, rows[0].Limit)
	}
}

// The claims of a search apart are named while it goes on.
func TestProgressNamesWhatIsSearchedApart(t *testing.T) {
	told := map[string]bool{}
	rowsOf(t, crowd(fair, safe), verdict.Options{MaxStates: 2000, Progress: func(p verdict.Progress) { told[strings.Join(p.Claims, ", ")] = true }})
	if !told["fair, safe"] || !told["fair"] || !told["safe"] {
		t.Errorf("told of %v", told)
	}
}

// A violation that is found together and found again apart is told of once.
func TestAViolationIsToldOfOnce(t *testing.T) {
	few := model.Claim{Name: "few answers", Kind: model.Always, Invariant: func(nodes []model.Node) error {
		if len(nodes[8].(*asking).Heard) > 1 {
			return errors.New("there are two")
		}
		return nil
	}}
	var told []string
	_, said := rowsOf(t, crowd(fair, few, safe), verdict.Options{MaxStates: 2000, Violated: func(_ *verdict.Row, c verdict.ClaimResult) { told = append(told, c.Name) }})
	if want := []string{"few answers violated, safe holds", "fair inconclusive"}; !slices.Equal(said, want) || !slices.Equal(told, []string{"few answers"}) {
		t.Errorf("rows are %q, want %q; told of %q", said, want, told)
	}
}
