package browser

import (
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// Spent is the processor time of a page since [Tab.Account], in milliseconds: of its main thread in total,
// and of scripts. Unlike wall times, it depends little on other load of the machine.
type Spent struct{ Main, Script float64 }

// Account begins to measure the processor time of a tab's pages. Call it before [Tab.Go].
func (tab *Tab) Account() {
	tab.t.Helper()
	if _, err := chromedp.Call(tab.ctx, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}); err != nil {
		tab.t.Fatal(err)
	}
}

// Spent returns the processor time since Account.
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

// Since returns the processor time between two measurements.
func (s Spent) Since(o Spent) Spent {
	return Spent{s.Main - o.Main, s.Script - o.Script}
}
