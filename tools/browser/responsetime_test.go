package browser_test

import (
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/checker/measure"
	"contend/checker/measure/simulate"
	"contend/impl/backoff"
	"contend/tools/browser"
)

// responseTimes returns pages of response times, by name: a page of the repository, and a newly written page.
func responseTimes(t *testing.T) map[string]string {
	t.Helper()
	p := backoff.Protocol
	opt := measure.Options{Contenders: []int{1, 2, 4, 8, 16}, Faulty: []string{"none", "worst"}, Law: simulate.Uniform, Runs: 5, Seed: 1, Workers: 2, MaxEvents: 1_000_000}
	report, err := measure.Measure(p, []string{"", "enqueue+safe-retry", "parameterized-granted"}, p.Study.Config, opt)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "now.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := report.Page(f, p, opt, "verify measure backoff"); err != nil {
		t.Fatal(err)
	}
	return map[string]string{"now": file, "section5": "../../docs/response-time/section5.html"}
}

// The pages of response times begin with the charts and end with how it was measured; each chart has its title in
// full and fits the window, on a phone too, with words that are large enough to read. Tables that are wider than
// the window scroll in a place of their own.
func TestResponseTime(t *testing.T) {
	for name, file := range responseTimes(t) {
		for _, size := range []image.Point{browser.Desktop, browser.Phone} {
			t.Run(name+size.String(), func(t *testing.T) {
				tab := browser.New(t)
				tab.Resize(size)
				tab.Go(file)
				if browser.Eval[bool](tab, `document.querySelector('table').compareDocumentPosition(document.querySelector('svg')) & Node.DOCUMENT_POSITION_FOLLOWING ? true : false`) {
					t.Error("a table comes before the charts")
				}
				if top := browser.Eval[float64](tab, `document.querySelector('svg').getBoundingClientRect().top`); top > float64(size.Y)/2 {
					t.Errorf("the first chart begins %.0f pixels down", top)
				}
				if browser.Eval[bool](tab, `[...document.querySelectorAll('h2')].at(-1).id !== 'method' || document.querySelector('pre').compareDocumentPosition([...document.querySelectorAll('table')].at(-1)) & Node.DOCUMENT_POSITION_FOLLOWING ? true : false`) {
					t.Error("how it was measured does not come last")
				}
				if wide := browser.Eval[int](tab, `[...document.querySelectorAll('svg')].filter(e => e.getBoundingClientRect().right > innerWidth).length`); wide > 0 {
					t.Errorf("%d charts are wider than the window", wide)
				}
				if hidden := browser.Eval[int](tab, `[...document.querySelectorAll('.statement')].filter(e => e.scrollWidth > e.clientWidth).length`); hidden > 0 && size == browser.Phone {
					t.Errorf("of %d statements one has to scroll to the reason", hidden)
				}
				if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("the page is wider than its window by %d pixels", over)
				}
				if cut := browser.Eval[[]string](tab, `[...document.querySelectorAll('svg text')].filter(e => {
					const is = e.getBoundingClientRect(), in_ = e.ownerSVGElement.getBoundingClientRect();
					return is.left < in_.left || is.right > in_.right || is.top < in_.top || e.textContent.endsWith('…');
				}).map(e => e.textContent)`); len(cut) > 0 {
					t.Errorf("the charts cut %q", cut)
				}
				if small := browser.Eval[float64](tab, `Math.min(...[...document.querySelectorAll('svg')].map(e => 12 * e.getBoundingClientRect().width / e.viewBox.baseVal.width))`); small < 8.5 {
					t.Errorf("the smallest words of a chart are %.1f pixels tall", small)
				}
			})
		}
	}
}

// A chart has a text alternative for screen readers that is not visible.
func TestResponseTimeCaptions(t *testing.T) {
	tab := browser.Open(t, responseTimes(t)["now"])
	if untold := browser.Eval[int](tab, `[...document.querySelectorAll('svg')].filter(e =>
		!e.getAttribute('aria-labelledby').split(' ').map(id => document.getElementById(id).textContent).join(' ').includes(' at t = ')).length`); untold > 0 {
		t.Errorf("%d charts say nothing to a screen reader", untold)
	}
	if text := browser.Eval[string](tab, `document.querySelector('.charts').innerText`); strings.Contains(text, " at t = ") {
		t.Errorf("captions are shown: %.200s", text)
	}
}

// The pages of response times break no rule of accessibility, and their lines differ without some colours.
func TestResponseTimeAccessible(t *testing.T) {
	page := filepath.Join("../../docs/response-time", "section5.html")
	schemes(t, page, func(t *testing.T, tab *browser.Tab) {
		tab.Accessible()
		ground := browser.Eval[string](tab, `getComputedStyle(document.querySelector('.ground')).fill`)
		colours := browser.Eval[[]string](tab, `[...new Set([...document.querySelectorAll('.contend .line')].map(e => getComputedStyle(e).stroke))]`)
		for _, c := range colours {
			if is := contrast(t, c, ground); is < 3 {
				t.Errorf("a line of %s stands out from the ground by %.2f to 1, want 3", c, is)
			}
		}
		marks := browser.Eval[[]string](tab, `[...document.querySelector('svg').querySelectorAll('.line + path[transform]')].map(e => e.getAttribute('d'))`)
		slices.Sort(marks)
		if each := slices.Compact(slices.Clone(marks)); len(each) < 2 || 2*len(each) != len(marks) { // in the chart and its legend
			t.Errorf("lines share a mark: %q", marks)
		}
		distinct(t, tab, colours)
	})
}
