package browser

import (
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// Spent is what a page has taken of the processor since [Tab.Account], in milliseconds: its main thread in all, and of that
// for scripts. Unlike times of the clock it says little of what else the machine does.
type Spent struct{ Main, Script float64 }

// Account begins to account for what the pages of a tab take of the processor; call it before [Tab.Go].
func (tab *Tab) Account() {
	tab.t.Helper()
	if _, err := chromedp.Call(tab.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
		tab.t.Fatal(err)
	}
}

// Spent is what was taken since.
func (tab *Tab) Spent() (s Spent) {
	tab.t.Helper()
	got, err := chromedp.Call(tab.ctx, performance.GetMetrics, struct{}{})
	if err != nil {
		tab.t.Fatal(err)
	}
	for _, m := range got.Metrics {
		switch m.Name {
		case "ThreadTime":
			s.Main = 1000 * m.Value
		case "ScriptDuration":
			s.Script = 1000 * m.Value
		}
	}
	return s
}

// Since is what was taken between two accounts.
func (s Spent) Since(o Spent) Spent {
	return Spent{s.Main - o.Main, s.Script - o.Script}
}
