package browser_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lucasb-eyer/go-colorful"

	"contend/tools/browser"
	"contend/traces/draw"
	"contend/traces/show"
)

// everything returns a diagram with each fate of messages and each kind of bar.
func everything(t *testing.T) string {
	t.Helper()
	d := draw.Diagram{Title: "everything", Config: "n=2", Claim: "a claim", Text: "it is violated", Timed: true, Lanes: []draw.Lane{{Name: "a"}, {Name: "b", Byzantine: true}}}
	for i := range 12 {
		d.Rows = append(d.Rows, draw.Row{Line: show.Line{Step: i, Time: fmt.Sprint(i), Who: "a", What: "does"}, Fault: i == 3})
	}
	d.Rows[5].Broken = []string{"a claim is violated"}
	for f := draw.Arrived; f <= draw.InFlight; f++ {
		d.Arrows = append(d.Arrows, draw.Arrow{From: 0, To: 1, Sent: int(f), End: int(f) + 2, Label: f.String(), Fate: f})
	}
	for k := draw.Operation; k <= draw.Cut; k++ {
		d.Bars = append(d.Bars, draw.Bar{Kind: k, Lane: 0, From: int(k), To: int(k) + 3})
	}
	file := filepath.Join(t.TempDir(), "everything.svg")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := d.SVG(f); err != nil {
		t.Fatal(err)
	}
	return file
}

// A look is the legend's style for an element: its color, and the rest of its style.
type look struct{ Means, Colour, Form string }

const looks = `[...document.querySelectorAll('text.soft')].filter(t => t.previousElementSibling && +t.getAttribute('x') > 50 && t.previousElementSibling.matches('path:not(.rule), rect:not(.row)')).map(t => {
	const e = t.previousElementSibling, s = getComputedStyle(e);
	return {Means: t.textContent, Colour: s.stroke === 'none' ? s.fill : s.stroke,
		Form: [e.localName, e.localName === 'rect' && s.fillOpacity, e.classList.contains('way') ? 'way' : '', s.strokeDasharray, s.strokeWidth].join(' ')};
})`

func schemes(t *testing.T, page string, with func(t *testing.T, tab *browser.Tab)) {
	t.Helper()
	for _, scheme := range []string{"light", "dark"} {
		t.Run(scheme, func(t *testing.T) {
			tab := browser.New(t)
			tab.Media("", "prefers-color-scheme", scheme)
			tab.Go(page)
			with(t, tab)
		})
	}
}

// Every element of the legend has a distinct form, so that no color is needed. The colors also differ for
// people with color blindness.
func TestLegendWithoutColours(t *testing.T) {
	schemes(t, everything(t), func(t *testing.T, tab *browser.Tab) {
		all := browser.Eval[[]look](tab, looks)
		if want := int(draw.InFlight) + int(draw.Cut) + 2; len(all) != want {
			t.Fatalf("the legend has %d entries, want %d: %v", len(all), want, all)
		}
		forms, colours := map[string]string{}, map[string]bool{}
		for _, l := range all {
			if other, is := forms[l.Form]; is {
				t.Errorf("but for colours %q looks like %q: %s", l.Means, other, l.Form)
			}
			forms[l.Form] = l.Means
			colours[l.Colour] = true
		}
		distinct(t, tab, slices.Sorted(maps.Keys(colours)))
	})
}

// apart is the least difference of two colors, by CIEDE2000, at which lines look different side by side.
// Black and white differ by 100.
const apart = 14

// distinct fails the test where two colours look the same to eyes that lack a kind of cones.
func distinct(t *testing.T, tab *browser.Tab, colours []string) {
	t.Helper()
	swatches := `data:text/html,<body style="margin:0;display:flex">`
	for _, c := range colours {
		swatches += `<div style="width:40px;height:40px;background:` + c + `"></div>`
	}
	tab.Go(strings.ReplaceAll(swatches, "#", "%23"))
	for _, eyes := range []string{"none", "protanopia", "deuteranopia", "tritanopia"} {
		tab.See(eyes)
		shot := tab.Screenshot()
		seen := make([]colorful.Color, len(colours))
		for i := range colours {
			seen[i], _ = colorful.MakeColor(shot.At(40*i+20, 20))
			for k := range i {
				d := 100 * seen[i].DistanceCIEDE2000(seen[k])
				if d < apart {
					t.Errorf("%s: %s and %s differ by %.1f only", eyes, colours[i], colours[k], d)
				}
			}
		}
	}
	tab.See("none")
}

// The texts of a diagram have a contrast of 4.5 to 1 with the background, its marks 3 to 1, as WCAG requires.
func TestDiagramContrast(t *testing.T) {
	schemes(t, everything(t), func(t *testing.T, tab *browser.Tab) {
		ground := browser.Eval[string](tab, `getComputedStyle(document.querySelector('.ground')).fill`)
		for _, m := range browser.Eval[[]struct {
			What, Colour string
			Least        float64
		}](tab, `[...document.querySelectorAll('text')].map(e => ({What: e.getAttribute('class') || 'text', Colour: getComputedStyle(e).fill, Least: 4.5}))
			.concat([...document.querySelectorAll('.way, .cross, .alarm, .hold, rect.operation, rect.section, rect.down')].map(e => ({What: e.getAttribute('class'), Colour: getComputedStyle(e).stroke, Least: 3})))
			.concat([...document.querySelectorAll('.dot, .head')].map(e => ({What: e.getAttribute('class'), Colour: getComputedStyle(e).fill, Least: 3})))`) {
			if c := contrast(t, m.Colour, ground); c < m.Least {
				t.Errorf("%s stands out from the ground by %.2f to 1, want %.1f", m.What, c, m.Least)
			}
		}
	})
}

// A violation is shown on a tinted band. Its text has enough contrast on the band, as on the background.
func TestBandContrast(t *testing.T) {
	schemes(t, written(t, kept(t, "centralized-newest-first-bounded-overtaking")), func(t *testing.T, tab *browser.Tab) {
		const band = `(() => { const c = document.createElement('canvas').getContext('2d'); const fill = (e, a) => { c.globalAlpha = a; c.fillStyle = getComputedStyle(e).fill; c.fillRect(0, 0, 1, 1) };
			const b = document.querySelector('rect.broken');
			c.globalAlpha = 1; c.fillStyle = getComputedStyle(document.body).backgroundColor; c.fillRect(0, 0, 1, 1); fill(b, +getComputedStyle(b).fillOpacity);
			return 'rgb(' + [...c.getImageData(0, 0, 1, 1).data].slice(0, 3).join(', ') + ')' })()`
		is := contrast(t, browser.Eval[string](tab, `getComputedStyle(document.querySelector('text.why')).fill`), browser.Eval[string](tab, band))
		if is < 4.5 {
			t.Errorf("what is broken stands out from its band by %.2f to 1, want 4.5", is)
		}
	})
}

// contrast returns the contrast of two colors by WCAG.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

func luminance(t *testing.T, colour string) float64 {
	t.Helper()
	var r, g, b uint8
	if _, err := fmt.Sscanf(colour, "rgb(%d, %d, %d)", &r, &g, &b); err != nil {
		t.Fatalf("%q: %v", colour, err)
	}
	lr, lg, lb := colorful.Color{R: float64(r) / 255, G: float64(g) / 255, B: float64(b) / 255}.LinearRgb()
	return .2126*lr + .7152*lg + .0722*lb
}
