package checker

import (
	"strings"
	"testing"

	"contend/model"
)

// A waiter may not answer at once. It does so later if it has patience.
type waiter struct{ patient bool }

func (w *waiter) Invoke(env model.Env, _ any) {
	if env.Choose(2) == 0 {
		env.Return(nil)
	} else if w.patient {
		env.After(0, model.Anytime())
	}
}

func (w *waiter) Timeout(env model.Env, _ any) { env.Return(nil) }

func waiting(kind model.Kind, patient bool) *model.Protocol {
	return &model.Protocol{
		Name: "waiting", Title: "a node that waits", Source: "none",
		Claims: []model.Claim{{Name: "done", Kind: kind, Source: "none", Done: true}},
		Build: func(c model.Config) (*model.System, error) {
			return &model.System{Config: c, Types: []any{0}, Nodes: []model.NodeSpec{{
				Name: "w", Script: []model.Op{{Call: 0}}, New: func() model.Node { return &waiter{patient} },
			}}}, nil
		},
	}
}

// A kept run that has not come to a goal keeps nobody from searching again once it goes on: what it
// ended in is no end any more.
func TestKeptRunThatGoesOn(t *testing.T) {
	for kind, says := range map[model.Kind]string{
		model.Eventually:             "passes: it is a run that does not break done any more",
		model.PossibleFromEverywhere: "only a search decides whether it can",
	} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Chdir(t.TempDir())
			tb := &recorded{TB: t}
			TestCheck(tb, waiting(kind, false), model.Check{})
			wantOne(t, tb.errors, "done is violated", "kept in ")
			tb = &recorded{TB: t}
			TestCheck(tb, waiting(kind, false), model.Check{})
			if len(tb.errors) != 1 {
				t.Errorf("the bug is still there: %q", tb.errors)
			}
			tb = &recorded{TB: t}
			TestCheck(tb, waiting(kind, true), model.Check{})
			if len(tb.errors) > 0 || !strings.Contains(strings.Join(tb.logs, "\n"), says) {
				t.Errorf("it is mended: %q, %q", tb.errors, tb.logs)
			}
		})
	}
}
