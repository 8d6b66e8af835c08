package browser_test

import (
	"strings"
	"testing"

	"contend/tools/browser"
)

// After the last step of a lasso the page repeats the loop, by button and by key. It shows the point of no
// return.
func TestRound(t *testing.T) {
	tab := browser.Open(t, written(t, kept(t, "sigma-suspects-once-lemma-8"))+"#step=5")
	at(t, tab, 5)
	if got := tab.Text("#details"); !strings.Contains(got, "from here on the goal cannot be reached") {
		t.Errorf("step 5 says %q", got)
	}
	tab.Press("j", "j", "j", "j")
	at(t, tab, 9)
	if got := tab.Text("#next"); got != "↻ round" {
		t.Errorf("the button behind the last step says %q", got)
	}
	tab.Press("j")
	at(t, tab, 7)
	tab.Press("k")
	at(t, tab, 6)
}

// A timed run is shown to scale, or by steps, and back.
func TestScale(t *testing.T) {
	tab := browser.Open(t, written(t, kept(t, "backoff-lease-at-least-lemma-1"))+"#step=6")
	at(t, tab, 6)
	tall := `[...document.querySelectorAll('.strip')].reduce((sum, s) => sum + s.clientHeight, 0)`
	scaled := browser.Eval[int](tab, tall)
	if got := browser.Eval[int](tab, `document.querySelectorAll('.instant').length`); got == 0 {
		t.Error("nothing marks the rows of one instant")
	}
	tab.Press("t")
	tab.Until(`document.querySelector('.strip .instant') === null && document.querySelectorAll('g.step').length > 0`)
	if got := browser.Eval[int](tab, tall); got == scaled {
		t.Errorf("by steps the picture is as tall as to scale, %d", got)
	}
	at(t, tab, 6)
	tab.Press("t")
	tab.Until(`document.querySelector('.strip .instant') !== null`)
	at(t, tab, 6)
}
