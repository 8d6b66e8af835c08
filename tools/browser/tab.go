package browser

import (
	"bytes"
	"context"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// patience is the time limit of a tab for one request of a test.
const patience = 30 * time.Second

// The sizes of windows, in CSS pixels.
var (
	Desktop = image.Pt(1280, 800)
	Phone   = image.Pt(390, 844)
)

// A Tab shows a page to a test. A request that fails ends the test.
type Tab struct {
	t   *testing.T
	ctx context.Context

	complain []string      // the page's complaints; to be read after judged is set
	told     chan struct{} // that all complaints so far are in
	judged   bool          // the test has read them
}

// New opens an empty tab of the size of a desktop window. The tab is closed when the test ends. New skips the
// test if there is no browser. The test fails if the page writes an error or a warning to the console, throws
// an exception, or violates its content security policy, unless it has read the [Tab.Complaints].
func New(t *testing.T) *Tab {
	t.Helper()
	if why := Missing(); why != "" {
		t.Skip(why)
	}
	parent, err := started()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(parent)
	tab := &Tab{t: t, ctx: ctx, told: make(chan struct{})}
	t.Cleanup(func() {
		if t.Failed() {
			tab.keep()
		}
		cancel()
	})
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	tab.listen()
	tab.Resize(Desktop)
	return tab
}

// Open opens a page in a new tab: an address, or the name of a file, with "#…" after it or not.
func Open(t *testing.T, page string) *Tab {
	t.Helper()
	tab := New(t)
	tab.Go(page)
	return tab
}

// Go opens a page in the tab and waits until it is loaded.
func (tab *Tab) Go(page string) {
	tab.t.Helper()
	if !strings.Contains(page, "://") && !strings.HasPrefix(page, "data:") {
		file, hash, _ := strings.Cut(page, "#")
		full, err := filepath.Abs(file)
		if err != nil {
			tab.t.Fatal(err)
		}
		page = "file://" + full
		if hash != "" {
			page += "#" + hash
		}
	}
	tab.do(chromedp.Navigate(page))
}

// do does something in the tab, within its patience.
func (tab *Tab) do(actions ...chromedp.Action[chromedp.Void]) {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		tab.t.Fatal(err)
	}
}

// ask returns the value of an action of the tab.
func ask[T any](tab *Tab, action chromedp.Action[T]) T {
	tab.t.Helper()
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		tab.t.Fatal(err)
	}
	return v
}

// settled is the message that listen waits for. The tab sends it to itself, and all earlier messages arrive
// before it.
const settled = "all told"

// listen records the page's complaints.
func (tab *Tab) listen() {
	messages := chromedp.Console(tab.ctx)
	go func() {
		for m, err := range messages {
			switch {
			case err != nil:
				return
			case m.Text == settled:
				tab.told <- struct{}{}
			case m.IsException() || slices.Contains([]string{"error", "warning", "assert"}, string(m.Type)):
				tab.complain = append(tab.complain, m.String())
			}
		}
	}()
	tab.t.Cleanup(func() {
		if !tab.judged {
			for _, c := range tab.Complaints() {
				tab.t.Errorf("the page complains: %s", c)
			}
		}
	})
}

// Complaints returns the errors and warnings of the page so far. After the call the tab does not fail the
// test for them.
func (tab *Tab) Complaints() []string {
	tab.t.Helper()
	tab.judged = true
	tab.do(chromedp.Evaluate[chromedp.Void]("console.debug('" + settled + "')"))
	select {
	case <-tab.told:
	case <-time.After(patience):
		tab.t.Error("the page's console is silent")
	}
	return slices.Clone(tab.complain)
}

// Press presses and releases keys: letters, and keys of package kb such as kb.ArrowDown.
func (tab *Tab) Press(keys ...string) {
	tab.t.Helper()
	for _, k := range keys {
		tab.press(k, kb.ModifierNone)
	}
}

// PressShift is Press with the shift key held.
func (tab *Tab) PressShift(keys ...string) {
	tab.t.Helper()
	for _, k := range keys {
		tab.press(k, kb.ModifierShift)
	}
}

// press presses keys as a keyboard does. A key also enters its text, so that a page that prevents the key
// prevents the text.
func (tab *Tab) press(keys string, with kb.Modifier) {
	tab.t.Helper()
	for _, r := range keys {
		var events []*input.DispatchKeyEventParams
		for _, e := range kb.Encode(r) {
			e.Modifiers |= int64(with)
			if e.Type == kb.KeyChar {
				events[len(events)-1].Text = e.Text
				continue
			}
			events = append(events, e)
		}
		for _, e := range events {
			if _, err := chromedp.Call(tab.ctx, input.DispatchKeyEvent, *e); err != nil {
				tab.t.Fatal(err)
			}
		}
	}
}

// Click scrolls to the first element that a CSS selector matches and clicks in its middle.
func (tab *Tab) Click(selector string) {
	tab.t.Helper()
	tab.do(chromedp.Click(chromedp.CSS(selector)))
}

// Text returns the text of the first element that a selector matches, as it is in the document.
func (tab *Tab) Text(selector string) string {
	tab.t.Helper()
	return strings.TrimSpace(ask(tab, chromedp.TextContent(chromedp.CSS(selector))))
}

// Eval evaluates an expression in the page. If the result is a promise, Eval waits for its value.
func Eval[T any](tab *Tab, expression string) T {
	tab.t.Helper()
	return ask(tab, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
}

// Do runs statements in the page.
func (tab *Tab) Do(statements string) {
	tab.t.Helper()
	Eval[bool](tab, statements+"\n; true")
}

// Until waits until an expression is true in the page.
func (tab *Tab) Until(expression string) {
	tab.t.Helper()
	ask(tab, chromedp.Poll[bool](expression, chromedp.WithPollingTimeout(patience/2)))
}

// Resize makes the window of a size; one as narrow as a phone is a phone, with a touch screen.
func (tab *Tab) Resize(to image.Point) {
	tab.t.Helper()
	var options []chromedp.EmulateViewportOption
	if to.X <= Phone.X {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateTouch)
	}
	tab.do(chromedp.EmulateViewport(int64(to.X), int64(to.Y), options...))
}

// Media emulates a medium ("screen", "print") and its features, such as "prefers-color-scheme" with "dark".
func (tab *Tab) Media(medium string, features ...string) {
	tab.t.Helper()
	p := emulation.SetEmulatedMediaParams{Media: medium}
	for i := 0; i+1 < len(features); i += 2 {
		p.Features = append(p.Features, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
	}
	if _, err := chromedp.Call(tab.ctx, emulation.SetEmulatedMedia, p); err != nil {
		tab.t.Fatal(err)
	}
}

// Dark makes the page believe that its reader prefers dark colours.
func (tab *Tab) Dark() {
	tab.t.Helper()
	tab.Media("", "prefers-color-scheme", "dark")
}

// See emulates a color vision deficiency ("protanopia", "deuteranopia", "tritanopia", "achromatopsia");
// "none" ends the emulation.
func (tab *Tab) See(deficiency string) {
	tab.t.Helper()
	p := emulation.SetEmulatedVisionDeficiencyParams{Type: emulation.SetEmulatedVisionDeficiencyType(deficiency)}
	if _, err := chromedp.Call(tab.ctx, emulation.SetEmulatedVisionDeficiency, p); err != nil {
		tab.t.Fatal(err)
	}
}

// PDF prints the page.
func (tab *Tab) PDF() []byte {
	tab.t.Helper()
	return ask(tab, chromedp.PrintToPDF(chromedp.PDFPrintBackground()))
}

// Screenshot returns an image of the window.
func (tab *Tab) Screenshot() image.Image {
	tab.t.Helper()
	img, err := png.Decode(bytes.NewReader(ask(tab, chromedp.CaptureScreenshot())))
	if err != nil {
		tab.t.Fatal(err)
	}
	return img
}

// shots is the environment variable that names a directory for the screenshots of failed tests.
const shots = "BROWSER_SHOTS"

// keep stores a screenshot of a failed test, if the user has requested it.
func (tab *Tab) keep() {
	dir := os.Getenv(shots)
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(tab.ctx, patience)
	defer cancel()
	shot, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err == nil {
		file := filepath.Join(dir, strings.ReplaceAll(tab.t.Name(), "/", "-")+".png")
		err = os.WriteFile(file, shot, 0o644)
	}
	tab.t.Logf("kept in %s: %v", dir, err)
}
