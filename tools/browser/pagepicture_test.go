package browser_test

import (
	"fmt"
	"image"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"contend/tools/browser"
)

// several are runs of different shapes: eight and thirteen nodes, long values, many messages in flight, a liar, a crash,
// time, and a lasso.
var several = []string{
	forgets, "backoff-lease-at-least-lemma-1", "backoff-metronome-corollary-2-adaptive", "maekawa-misprint-13-mutual-exclusion",
	"multicast-agreed-sender-crashes-agreement", "multicast-view-skips-views-view-order", "ordering-no-committed-branch-theorem-1",
	"ordering-propose-unawaited-theorem-1", "ordering-responses-overwritten-theorem-2-bounded", "sigma-suspects-once-lemma-8",
}

// boxes are the texts of the picture that are shown, with where they are.
const boxes = `[...document.querySelectorAll('#picture text')].filter(e => getComputedStyle(e).display !== 'none').map(e => {
	const r = e.getBoundingClientRect(), title = e.querySelector('title');
	return {Text: e.textContent.slice(0, title ? -title.textContent.length : undefined), In: e.closest('.strip, #names, #legend').className, Left: r.left, Top: r.top, Right: r.right, Bottom: r.bottom};
})`

type text struct {
	Text, In                 string
	Left, Top, Right, Bottom float64
}

// covers reports whether two texts are drawn over each other: their boxes have some room above and below the letters.
// What two strips have of one message is one.
func (a text) covers(b text) bool {
	const air = 2.5
	return a != b && a.In == b.In && a.Left < b.Right-1 && b.Left < a.Right-1 && a.Top+air < b.Bottom-air && b.Top+air < a.Bottom-air
}

// In windows of 1280 and of 1600 pixels all nodes and all words of steps are inside the picture, and no texts
// overlap, as the browser draws them.
func TestPagePictureFits(t *testing.T) {
	for _, name := range several {
		t.Run(name, func(t *testing.T) {
			file := written(t, kept(t, name))
			for _, wide := range []int{1280, 1600} {
				tab := browser.New(t)
				tab.Resize(image.Pt(wide, 900))
				tab.Go(file)
				inView(t, tab)
				if over := browser.Eval[int](tab, `picture.scrollWidth - picture.clientWidth`); over > 0 {
					t.Errorf("at %d the picture is too wide by %d pixels", wide, over)
				}
				right := browser.Eval[float64](tab, `picture.getBoundingClientRect().left + picture.clientWidth`)
				all := browser.Eval[[]text](tab, boxes)
				for i, a := range all {
					if a.Right > right {
						t.Errorf("at %d %q goes beyond the picture by %.0f", wide, a.Text, a.Right-right)
					}
					for _, b := range all[:i] {
						if a.covers(b) {
							t.Errorf("at %d %q and %q cover each other: %.0f", wide, a.Text, b.Text, []float64{a.Left, a.Right, a.Top, a.Bottom, b.Left, b.Right, b.Top, b.Bottom})
						}
					}
				}
			}
		})
	}
}

// Names that are longer than lanes are wide do not cover each other, as the browser draws them.
func TestPageLongNames(t *testing.T) {
	run := kept(t, "maekawa-misprint-13-mutual-exclusion")
	for i := range run.World.System.Nodes {
		if i%4 < 3 {
			run.World.System.Nodes[i].Name = fmt.Sprintf("coordinator %d", i)
		}
	}
	tab := browser.Open(t, written(t, run))
	inView(t, tab)
	var names []text
	for _, n := range browser.Eval[[]text](tab, boxes) {
		if n.In != "" {
			continue
		}
		for _, o := range names {
			if n.covers(o) {
				t.Errorf("%q and %q cover each other", n.Text, o.Text)
			}
		}
		if names = append(names, n); n.Left < 0 {
			t.Errorf("%q begins left of the window", n.Text)
		}
	}
	if len(names) < 13 {
		t.Errorf("there are %d names", len(names))
	}
}

// No line crosses the text below a row: at each position directly under such a text is its background.
func TestPageNothingStruck(t *testing.T) {
	for _, name := range several {
		tab := browser.Open(t, written(t, kept(t, name)))
		inView(t, tab)
		struck := browser.Eval[[]string](tab, `[...document.querySelectorAll('#picture text.why, #picture text.again')].flatMap(e => {
			e.scrollIntoView({block: 'center'});
			const r = e.getBoundingClientRect(), by = new Set();
			for (let x = r.left + 1; x < r.right; x += 2) by.add(document.elementsFromPoint(x, (r.top + r.bottom) / 2).find(o => o !== e));
			return [...by].filter(o => !o.classList.contains('flat')).map(o => e.textContent + ' by ' + o.getAttribute('class'));
		})`)
		for _, s := range struck {
			t.Errorf("%s: %s", name, s)
		}
	}
}

// Messages in flight at the end are short and thin, unless the user selects them: by a key, or by the step
// that sent them.
func TestPageFlights(t *testing.T) {
	tab := browser.Open(t, written(t, kept(t, "ordering-responses-overwritten-theorem-2-bounded")))
	at(t, tab, 89)
	inView(t, tab)
	flying := `[...document.querySelectorAll('.flying .way')].filter(e => getComputedStyle(e).display !== 'none' && %s)`
	count := func(what string) int { return browser.Eval[int](tab, fmt.Sprintf(flying, what)+`.length`) }
	const elsewhere = `!e.closest('.now')`
	if n := count(elsewhere); n < 15 {
		t.Errorf("%d messages in flight are drawn, of 20 or more", n)
	}
	if n := count(elsewhere + ` && (e.getTotalLength() > 30 || parseFloat(getComputedStyle(e).strokeWidth) > 1.5)`); n > 0 {
		t.Errorf("%d messages in flight are long or thick", n)
	}
	if n := count(`e.closest('.now') && e.closest('.now').dataset.sent !== '89'`); n > 0 {
		t.Errorf("%d messages in flight that other steps sent are drawn as those of the last step", n)
	}
	if n := count(`e.closest('.now') && e.getTotalLength() > 60`); n != 3 {
		t.Errorf("of the last step %d messages are drawn to their receivers, want 3", n)
	}
	labels := `[...document.querySelectorAll('.words.flying:not(.now) .label')].filter(e => getComputedStyle(e).display !== 'none').length`
	if n := browser.Eval[int](tab, labels); n > 0 {
		t.Errorf("%d messages in flight are named unasked", n)
	}
	tab.Press("f")
	if n := count(elsewhere + ` && e.getTotalLength() > 60`); n < 15 {
		t.Errorf("asked for, %d messages in flight are drawn to their receivers", n)
	}
	if n := browser.Eval[int](tab, labels); n < 5 {
		t.Errorf("asked for, %d messages in flight are named", n)
	}
	if !strings.Contains(tab.Text("#panel"), "f messages in flight") {
		t.Error("the help does not name f")
	}
	tab.Press("f")
	if n := count(elsewhere + ` && e.getTotalLength() > 30`); n > 0 {
		t.Errorf("asked for no more, %d messages in flight are long", n)
	}
}

// A label without room is shown when a step of its message is chosen. Labels of other messages at the same
// place are hidden.
func TestPageLabelsGiveWay(t *testing.T) {
	spares, gave := 0, 0
	for _, name := range []string{"ordering-completed-very-early-theorem-1", "ordering-propose-unawaited-theorem-1", "enhancedring-suspects-wrongly-one-coordinator"} {
		tab := browser.Open(t, written(t, kept(t, name)))
		steps := browser.Eval[[]int](tab, `[...document.querySelectorAll('.spare')].map(e => +e.closest('.words').dataset.sent)`)
		spares += len(steps)
		for _, step := range steps {
			tab.Do(fmt.Sprintf(`location.hash = '#step=%d'`, step))
			at(t, tab, step)
			inView(t, tab)
			if n := browser.Eval[int](tab, fmt.Sprintf(`[...document.querySelectorAll('.spare')].filter(e => getComputedStyle(e).display !== 'none' && e.closest('.words').dataset.sent === '%d').length`, step)); n == 0 {
				t.Errorf("%s: the label of a message of step %d does not show when that is chosen", name, step)
			}
			gave += browser.Eval[int](tab, `document.querySelectorAll('.under').length`)
			for _, pair := range browser.Eval[[]string](tab, `(() => {
				const texts = [...document.querySelectorAll('.words .label')].filter(e => getComputedStyle(e).display !== 'none').map(e => [e, e.getBoundingClientRect()]);
				return texts.filter(([e]) => e.matches('.now .spare')).flatMap(([e, a]) => texts.filter(([o, b]) => o !== e &&
					a.left < b.right - 1 && b.left < a.right - 1 && a.top + 3 < b.bottom - 3 && b.top + 3 < a.bottom - 3).map(([o]) => e.textContent + ' and ' + o.textContent));
			})()`) {
				t.Errorf("%s, step %d: %s cover each other", name, step, pair)
			}
		}
	}
	if spares < 4 || gave == 0 {
		t.Errorf("%d labels have found no room, and for them %d have given way: this tests nothing", spares, gave)
	}
}

// A claim about a goal is shown as reached only after it is reached. If nothing has tested a claim yet, the
// page does not show that it holds. The page opens where the violation becomes inevitable, and shows this
// first.
func TestPageClaims(t *testing.T) {
	tab := browser.Open(t, written(t, kept(t, "sigma-suspects-once-lemma-8")))
	at(t, tab, 5)
	if got := tab.Text("header .broken"); !strings.HasPrefix(got, "✗ Lemma 8, inevitable since step 5: ") {
		t.Errorf("the head says %q", got)
	}
	if got := tab.Text("#claims .broken"); !strings.HasPrefix(got, "Lemma 8, inevitable since step 5: its goal is not reached") {
		t.Errorf("the claim says %q", got)
	}
	tab.Press("k")
	at(t, tab, 4)
	if got := tab.Text("#claims"); !strings.Contains(got, "Lemma 8: not reached yet") {
		t.Errorf("a step earlier the claims are %q", got)
	}

	tab = browser.Open(t, written(t, kept(t, forgets)))
	for step, want := range []string{"untested", "untested"} {
		tab.Do(fmt.Sprintf(`location.hash = '#step=%d'`, step))
		at(t, tab, step)
		got := browser.Eval[string](tab, `[...document.querySelectorAll('#claims li')].find(e => e.textContent.startsWith('mutual exclusion')).className`)
		if got != want {
			t.Errorf("at step %d mutual exclusion is %s, want %s", step, got, want)
		}
	}
	tab.Press(kb.End, "k")
	at(t, tab, 9)
	if got := browser.Eval[string](tab, `[...document.querySelectorAll('#claims li')].find(e => e.textContent === 'mutual exclusion').className`); got != "kept" {
		t.Errorf("with one inside mutual exclusion is %s", got)
	}
}

// On a phone the whole explanation of a violation is visible. A step that it names scrolls into view, with
// its lane.
func TestPagePhone(t *testing.T) {
	for _, name := range several {
		tab := browser.New(t)
		tab.Resize(browser.Phone)
		tab.Go(written(t, kept(t, name)))
		if cut := browser.Eval[int](tab, `document.querySelector('header').scrollHeight - document.querySelector('header').clientHeight`); cut > 0 {
			t.Errorf("%s: of the head %d pixels are cut off", name, cut)
		}
		if top := browser.Eval[int](tab, `scrollY`); top > 0 {
			t.Errorf("%s: it opens %d pixels below its head", name, top)
		}
		if over := browser.Eval[float64](tab, `Math.max(...[...document.querySelectorAll('#legend svg')].map(e => e.getBoundingClientRect().right)) - innerWidth`); over > 0 {
			t.Errorf("%s: the legend goes beyond the window by %.0f", name, over)
		}
		step := browser.Eval[string](tab, `(a => { a.scrollIntoView({block: 'center'}); a.click(); return a.hash.replace('#step=', ''); })([...document.querySelectorAll('#why a')].at(-1))`)
		tab.Until(fmt.Sprintf(`document.body.dataset.shown === '%s'`, step))
		inView(t, tab)
		if !browser.Eval[bool](tab, `(r => r.top >= 0 && r.bottom <= innerHeight + 1)(picture.getBoundingClientRect())`) {
			t.Errorf("%s: the picture does not come into view", name)
		}
		within := fmt.Sprintf(`((dot, all) => !dot || dot.left >= all.left && dot.right <= all.right)(document.querySelector('#picture circle[data-step="%s"]')?.getBoundingClientRect(), picture.getBoundingClientRect())`, step)
		if !browser.Eval[bool](tab, within) {
			t.Errorf("%s: the lane of step %s is beside the window", name, step)
		}
	}
}

// What the browser draws itself, such as the bars by which one scrolls, is dark where the page is.
func TestPageDark(t *testing.T) {
	schemes(t, written(t, kept(t, forgets)), func(t *testing.T, tab *browser.Tab) {
		own := browser.Eval[string](tab, `(() => { document.body.insertAdjacentHTML('beforeend', '<p id="own" style="background:Canvas"></p>'); return getComputedStyle(get('own')).backgroundColor; })()`)
		ground := browser.Eval[string](tab, `getComputedStyle(document.body).backgroundColor`)
		if (luminance(t, own) > .5) != (luminance(t, ground) > .5) {
			t.Errorf("the browser's own ground is %s, the page's %s", own, ground)
		}
	})
}
