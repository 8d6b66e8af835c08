package browser_test

import (
	"image"
	"path/filepath"
	"slices"
	"testing"

	"contend/tools/browser"
)

// responseTimes are the pages of response times, as the repository has them.
var responseTimes = []string{"page.html", "section5.html"}

// The pages of response times show charts before tables, every title in full, and fit a phone: what is wider than the
// window scrolls in a place of its own, and its words stay large enough to read.
func TestResponseTime(t *testing.T) {
	for _, name := range responseTimes {
		for _, size := range []image.Point{browser.Desktop, browser.Phone} {
			t.Run(name+size.String(), func(t *testing.T) {
				tab := browser.New(t)
				tab.Resize(size)
				tab.Go(filepath.Join("../../docs/response-time", name))
				if browser.Eval[bool](tab, `document.querySelector('table').compareDocumentPosition(document.querySelector('svg')) & Node.DOCUMENT_POSITION_FOLLOWING ? true : false`) {
					t.Error("a table comes before the charts")
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
