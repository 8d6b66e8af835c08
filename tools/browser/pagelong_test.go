package browser_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"contend/tools/browser"
)

// painted waits until a page has been drawn, and returns the time of its first drawing.
const painted = `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => {
	const paint = performance.getEntriesByName('first-contentful-paint')[0];
	done(paint ? Math.round(paint.startTime) : 0);
})))`

// scrolled scrolls by a hundred frames.
const scrolled = `new Promise(done => {
	let frames = 0;
	picture.scrollTo({top: 0, behavior: 'instant'});
	const frame = () => {
		picture.scrollBy({top: 300, behavior: 'instant'});
		if (++frames < 100) requestAnimationFrame(frame); else done(picture.scrollTop);
	};
	requestAnimationFrame(frame);
})`

// opened opens a page and returns its processor time.
func opened(t *testing.T, file string) (*browser.Tab, browser.Spent) {
	t.Helper()
	tab := browser.New(t)
	tab.Account()
	before := tab.Spent()
	tab.Go(file)
	first := browser.Eval[int](tab, painted)
	spent := tab.Spent().Since(before)
	t.Logf("first paint after %d ms; opening takes %.0f ms of the main thread, %.0f of scripts", first, spent.Main, spent.Script)
	return tab, spent
}

// A page of 2000 steps, and a page of 100 000 steps, open with the visible part, and go to any requested
// place. The document of the longer page contains only recently visible parts. This keeps both pages fast.
// The times are logged (go test -v -run PageLong), and only compared with the times of a page of 20 steps.
func TestPageLong(t *testing.T) {
	_, short := opened(t, written(t, long(t, 20)))
	for _, c := range []struct {
		steps, elements int // most of the document in the end
		times           float64
	}{{2000, 30_000, 8}, {100_000, 15_000, 60}} {
		t.Run(fmt.Sprint(c.steps), func(t *testing.T) {
			if testing.Short() && c.steps > 2000 {
				t.Skip("it takes a quarter of a minute")
			}
			tab, spent := opened(t, written(t, long(t, c.steps))+"#step=1234")
			if spent.Main > c.times*short.Main {
				t.Errorf("to open it takes %.0f ms, a page of 20 steps %.0f", spent.Main, short.Main)
			}
			at(t, tab, 1234)
			inView(t, tab)
			before := tab.Spent()
			browser.Eval[float64](tab, scrolled)
			t.Logf("a hundred frames of a scroll take %.0f ms of the main thread", tab.Spent().Since(before).Main)
			goesAbout(t, tab, c.steps)
			if n := browser.Eval[int](tab, `document.querySelectorAll('*').length`); n > c.elements {
				t.Errorf("the document has %d elements", n)
			}
		})
	}
}

// goesAbout moves in a run: to its end, by its steps, to search results, and quickly over many steps.
func goesAbout(t *testing.T, tab *browser.Tab, last int) {
	t.Helper()
	tab.Press(kb.End)
	at(t, tab, last)
	inView(t, tab)
	tab.Press("c", "k")
	at(t, tab, last-1)
	tab.Press("/", "p3: invokes", kb.Enter)
	tab.Until(`get('what').textContent.startsWith('p3: invokes')`)
	inView(t, tab)
	tab.Do(`for (let i = 0; i < 100; i++) { get('slider').value = i * 10; get('slider').oninput({target: get('slider')}); }`)
	at(t, tab, 990)
	inView(t, tab)
}
