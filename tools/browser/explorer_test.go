package browser_test

import (
	"image"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"contend/checker/explore"
	"contend/checker/judge"
	"contend/impl/backoff"
	"contend/impl/centralized"
	"contend/impl/ricartagrawala"
	"contend/model"
	"contend/tools/browser"
	"contend/traces"
	"contend/traces/walk"
)

// explored opens the explorer of a variant of a protocol, and waits until it has loaded.
func explored(t *testing.T, p *model.Protocol, variant string, c model.Config, reading model.Reading, at string) (tab *browser.Tab, out string) {
	t.Helper()
	out = filepath.Join(t.TempDir(), "out")
	s, err := explore.New(explore.Options{
		Protocol: p, Header: traces.New(p, variant, p.Filled(c), reading != model.Untimed, "", ""),
		Check: model.Check{Variant: variant, Config: c, Reading: reading}, Command: "verify explore " + p.Name, Out: out,
	})
	if err != nil {
		t.Fatal(err)
	}
	var inside http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { inside.ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	inside = s.Handler(server.Listener.Addr().String())
	tab = browser.Open(t, server.URL+s.Path()+at)
	arrive(tab, at)
	return tab, out
}

// arrive waits until the page is at a place.
func arrive(tab *browser.Tab, at string) {
	tab.Until(`document.querySelector('#place').textContent !== '' && !document.body.hasAttribute('aria-busy')` +
		` && (location.hash === '` + at + `' || '` + at + `' === '')`)
}

// A user takes steps by clicks and keys. The user goes back by the page, by the browser and by a row of the
// diagram, and branches. The address always has the place, and the tree has the branch.
func TestExplorerWalks(t *testing.T) {
	tab, out := explored(t, ricartagrawala.Protocol, "", model.Config{}.With(model.N.Is(2)), model.Untimed, "")
	tab.Click("#offers button")
	arrive(tab, "#at=1")
	is(t, tab.Text("#what"), "p1: invokes Acquire")
	tab.Press("2")
	arrive(tab, "#at=1.2")
	tab.Press(kb.Backspace)
	arrive(tab, "#at=1")
	tab.Press("1")
	arrive(tab, "#at=1.1")
	browser.Eval[bool](tab, `history.back() ?? true`)
	arrive(tab, "#at=1")
	browser.Eval[bool](tab, `document.querySelector('g.step[data-step="0"]').dispatchEvent(new MouseEvent('click')) ?? true`)
	arrive(tab, "#at=")
	tab.Press("t")
	if got := browser.Eval[int](tab, `document.querySelectorAll('#been button').length`); got != 4 {
		t.Errorf("%d places in the tree: %s", got, tab.Text("#been"))
	}
	tab.Click("#been li li button")
	arrive(tab, "#at=1.2")
	tab.Click("#saving summary")
	tab.Click("#save")
	tab.Until(`document.querySelector('#status').textContent.startsWith('Saved: verify show ')`)
	if _, err := traces.Load(filepath.Join(out, "ricartagrawala-2-steps.json")); err != nil {
		t.Error(err)
	}
}

// A forged message is chosen by the number before it, an instant has a name, and a refused step shows its
// reason.
func TestExplorerLies(t *testing.T) {
	tab, _ := explored(t, backoff.Protocol, "", model.Config{}.With(model.N.Is(6), model.B.Is(1)), model.Grid, "#at=1")
	tab.Click("#offers details summary")
	tab.Click("#offers .lie button")
	tab.Until(`document.querySelector('#place').textContent === '2 steps'`)
	if got := tab.Text("#what"); !strings.Contains(got, "arrives, forged") {
		t.Error(got)
	}
	browser.Eval[bool](tab, `(document.querySelector('#instant').value = '9', true)`)
	tab.Click("#offers .event button")
	tab.Until(`document.querySelector('#status').textContent.startsWith('place: choice 3: at is 9, but this may happen from 0 to ')`)
	tab.Complaints() // the browser notes that an answer was no
	browser.Eval[bool](tab, `(document.querySelector('#instant').value = '1/2', true)`)
	tab.Click("#offers .event button")
	tab.Until(`document.querySelector('#now').textContent === ', at 1/2'`)
}

// The page goes to the nearest state. A search shows its layers and leads to a counterexample.
func TestExplorerSearches(t *testing.T) {
	tab, _ := explored(t, ricartagrawala.Protocol, "no-tie-break", model.Config{}.With(model.N.Is(2)), model.Untimed, "#at=1")
	tab.Press("f")
	browser.Eval[bool](tab, `(document.querySelector('#where').value = 'p1.Request > 0 && p2.Request > 0', true)`)
	tab.Click("#near")
	arrive(tab, "#at=1.1")
	is(t, tab.Text("#found"), "Found after 1 step; 3 states searched.")
	tab.Click("#tab-search")
	tab.Click("#go")
	tab.Until(`document.querySelector('#verdicts button') !== null && document.querySelectorAll('#verdicts rect').length > 10`)
	tab.Click("#verdicts button")
	tab.Until(`document.querySelector('#claims .broken') !== null`)
	tab.Click("#tab-find")
	browser.Eval[bool](tab, `(document.querySelector('#where').value = 'p1.Requets > 0', true)`)
	tab.Click("#far")
	tab.Until(`document.querySelector('#found').textContent.includes('at column 4: unknown field Requets')`)
	tab.Complaints()
}

// No text of the address or of a trace runs as a script, and the page stays where it was.
func TestExplorerHostile(t *testing.T) {
	tab, _ := explored(t, ricartagrawala.Protocol, "", model.Config{}.With(model.N.Is(2)), model.Untimed, "")
	for _, at := range []string{`<img src=x onerror=alert(1)>`, "99", strings.Repeat("1.", 5000), "1@0", "%"} {
		tab.Go(strings.Split(browser.Eval[string](tab, `location.href`), "#")[0] + "?" + "#at=" + at)
		tab.Until(`document.querySelector('#place').textContent === '0 steps' && document.querySelector('#status').textContent !== ''`)
		if n := browser.Eval[int](tab, `document.querySelectorAll('#status *, img').length`); n != 0 {
			t.Errorf("%.40q makes elements", at)
		}
		tab.Complaints()
	}
	hostile := `{"version":1,"protocol":"<script>alert(1)</script>","config":{},"time":"untimed","claim":"<img src=x onerror=alert(1)>","steps":[]}`
	browser.Eval[bool](tab, `(() => { const d = new DataTransfer(); d.items.add(new File([`+"`"+hostile+"`"+`], 'x.json')); const i = document.querySelector('#load'); i.files = d.files; i.dispatchEvent(new Event('change')); return true })()`)
	tab.Until(`document.querySelector('#status').textContent.includes('protocol of the trace is "<script>alert(1)</script>"')`)
	tab.Complaints()
}

// broken opens the explorer at a run in which the latest request overtakes an earlier request.
func broken(t *testing.T) *browser.Tab {
	t.Helper()
	tr, err := traces.Load("../../traces/testdata/centralized-newest-first-bounded-overtaking.json")
	if err != nil {
		t.Fatal(err)
	}
	header := *tr
	header.Steps, header.Claim, header.Text = nil, "", ""
	w, err := walk.BeginAlong(centralized.Protocol, &header, judge.Watched(centralized.Protocol.Statements()), tr)
	if err != nil {
		t.Fatal(err)
	}
	tab, _ := explored(t, centralized.Protocol, tr.Variant, tr.Config.Model(), model.Untimed, "#at="+w.Place().String())
	tab.Until(`document.querySelectorAll('#because li').length > 0`)
	return tab
}

// Where a claim is violated the page shows the violation first, then the step that made it inevitable, then
// the cause. It links to these steps, and to a run that satisfies the claim. That run has no explanation.
func TestExplorerWhy(t *testing.T) {
	tab := broken(t)
	is(t, tab.Text("#turning"), "Step 9 made it inevitable. After step 8 the run could still go on without breaking the claim. Show such a run.")
	if !strings.HasPrefix(tab.Text("#broke"), "✗ bounded overtaking is violated in step 12: ") {
		t.Error(tab.Text("#broke"))
	}
	if order := browser.Eval[string](tab, `[...document.querySelectorAll('#broke, #turning, #because, main')].map(e => e.id || e.localName).join()`); order != "broke,turning,because,main" {
		t.Error(order)
	}
	tab.Click("#turning a")
	tab.Until(`document.querySelector('#place').textContent === '9 steps'`)
	if browser.Eval[bool](tab, `document.querySelector('#why').offsetParent !== null`) {
		t.Error("it is explained before it is broken")
	}
	browser.Eval[bool](tab, `history.back() ?? true`)
	tab.Until(`document.querySelector('#place').textContent === '12 steps'`)
	tab.Click("#turning a:last-child")
	tab.Until(`document.querySelector('#place').textContent !== '12 steps' && document.querySelector('#offers').textContent === 'Nothing more can happen.'`)
	if n := browser.Eval[int](tab, `document.querySelectorAll('#claims .broken').length`); n != 0 {
		t.Error("the run breaks a claim, too")
	}
}

// On a phone the whole explanation is visible without scrolling inside it. The description of the place comes
// before the diagram, since the diagram is wider than the window.
func TestExplorerPhone(t *testing.T) {
	tab := broken(t)
	tab.Resize(browser.Phone)
	if hidden := browser.Eval[int](tab, `document.querySelector('#why').scrollHeight - document.querySelector('#why').clientHeight`); hidden > 0 {
		t.Errorf("%d pixels of why are hidden", hidden)
	}
	if order := browser.Eval[string](tab, `['why', 'next', 'panel', 'picture'].sort((a, b) => document.getElementById(a).getBoundingClientRect().top - document.getElementById(b).getBoundingClientRect().top).join()`); order != "why,next,panel,picture" {
		t.Error(order)
	}
}

// A step beyond a cut is gray, shows the reason, has no number, and cannot be chosen.
func TestExplorerCut(t *testing.T) {
	tab, _ := explored(t, backoff.Protocol, "", model.Config{}.With(model.N.Is(1), backoff.Tries.Is(1)), model.Untimed, "#at=2.1.2.2.2.1:0.1")
	is(t, tab.Text("#offers button .why"), "beyond the cut tries = 1 (broadcasts of each contend): a search does not go there either")
	if browser.Eval[bool](tab, `getComputedStyle(document.querySelector('#offers button')).color !== getComputedStyle(document.querySelector('footer')).color`) {
		t.Error("it is not grey")
	}
	if n := browser.Eval[int](tab, `document.querySelectorAll('#offers kbd').length`); n != 0 {
		t.Error("it has a number")
	}
	tab.Click("#offers button")
	is(t, tab.Text("#place"), "7 steps")
	is(t, tab.Text("#status"), "")
	tab.Accessible()
}

// The scrollbars and what else the browser draws itself are dark where the page is.
func TestExplorerDark(t *testing.T) {
	tab, _ := explored(t, ricartagrawala.Protocol, "", model.Config{}.With(model.N.Is(2)), model.Untimed, "")
	tab.Dark()
	const canvas = `(e => { e.style.color = 'CanvasText'; document.body.append(e); const is = getComputedStyle(e).color; e.remove(); return is; })(document.createElement('p'))`
	if got := browser.Eval[string](tab, canvas); got != "rgb(255, 255, 255)" {
		t.Errorf("the browser writes in %s", got)
	}
}

// The page fits into its window, in light and dark colors, also on a phone.
func TestExplorerFits(t *testing.T) {
	tab, _ := explored(t, backoff.Protocol, "", model.Config{}.With(model.N.Is(6), model.B.Is(1)), model.Grid, "#at=1.2.1")
	for range 2 {
		for _, size := range []image.Point{image.Pt(1280, 800), image.Pt(900, 700), browser.Phone} {
			tab.Resize(size)
			if wide := browser.Eval[int](tab, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); wide > 0 {
				t.Errorf("the page is %d pixels wider than its window of %v", wide, size)
			}
			if wide := browser.Eval[int](tab, `(p => p.scrollWidth - p.clientWidth)(document.querySelector('#picture'))`); wide > 0 && size.X >= 1280 {
				t.Errorf("%d pixels of the diagram are hidden in a window of %v", wide, size)
			}
		}
		tab.Dark()
	}
}

// The page breaks no accessibility rule in any state, in light and dark colors, and on a phone.
func TestExplorerAccessible(t *testing.T) {
	tab, _ := explored(t, backoff.Protocol, "", model.Config{Faults: model.Faults{Loss: 1}}.With(model.N.Is(6), model.B.Is(1)), model.Grid, "#at=1.2.1")
	for i, set := range []func(){func() {}, tab.Dark, func() { tab.Resize(browser.Phone) }} {
		set()
		for _, key := range []string{"s", "t", "e"} {
			if testing.Short() && i > 0 && key != "e" {
				continue
			}
			tab.Press(key)
			tab.Accessible()
		}
	}
	tab.Click("#tab-find")
	tab.Accessible()
	tab = broken(t)
	for _, set := range []func(){func() {}, tab.Dark, func() { tab.Resize(browser.Phone) }} {
		set()
		tab.Accessible()
	}
}

func is(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
