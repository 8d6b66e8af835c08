package browser_test

import (
	"bytes"
	"image"
	"testing"

	"contend/tools/browser"
)

// shades counts the colours of a part of a picture, and reckons how light it is, 0 to 1.
func shades(of image.Image, part image.Rectangle) (colours int, light float64) {
	seen := map[[3]uint32]bool{}
	sum, n := 0.0, 0
	for y := part.Min.Y; y < part.Max.Y; y += 2 {
		for x := part.Min.X; x < part.Max.X; x += 2 {
			r, g, b, _ := of.At(x, y).RGBA()
			seen[[3]uint32{r, g, b}] = true
			sum += float64(r+g+b) / 3 / 0xffff
			n++
		}
	}
	return len(seen), sum / float64(n)
}

// The page is light or dark as its reader likes it, and has something to see where the diagram and the panel are.
func TestPageLooks(t *testing.T) {
	for _, c := range []struct {
		page, scheme string
		size         image.Point
	}{
		{written(t, kept(t, forgets)), "light", browser.Desktop},
		{written(t, kept(t, forgets)), "dark", browser.Desktop},
		{written(t, long(t, 2000)), "light", browser.Desktop},
		{written(t, kept(t, forgets)), "light", browser.Phone},
	} {
		t.Run(c.scheme+c.size.String(), func(t *testing.T) {
			tab := browser.New(t)
			tab.Media("", "prefers-color-scheme", c.scheme)
			tab.Resize(c.size)
			tab.Go(c.page)
			inView(t, tab)
			for _, id := range []string{"picture", "panel"} {
				tab.Do(`document.getElementById('` + id + `').scrollIntoView({block: 'nearest'})`)
				shot := tab.Screenshot()
				colours, light := shades(shot, place(tab, id).Intersect(shot.Bounds()))
				if colours < 10 {
					t.Errorf("%s is empty: it has %d colours", id, colours)
				}
				if (light > .5) != (c.scheme == "light") {
					t.Errorf("%s is not %s: its lightness is %.2f", id, c.scheme, light)
				}
			}
			if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("the page is wider than its window by %d pixels", over)
			}
			if over := browser.Eval[int](tab, `get('panel').scrollWidth - get('panel').clientWidth`); over > 0 {
				t.Errorf("the panel is wider than its place by %d pixels", over)
			}
		})
	}
}

// inView waits until the step that is shown is drawn, and within the part of the diagram that is in view.
func inView(t *testing.T, tab *browser.Tab) {
	t.Helper()
	tab.Until(`(() => {
		const row = picture.querySelector('[aria-current=step] .row'), seen = picture.getBoundingClientRect();
		if (!row) return false;
		const is = row.getBoundingClientRect();
		return is.top >= seen.top && is.bottom <= seen.bottom;
	})()`)
}

// place returns the rectangle of an element in the window.
func place(tab *browser.Tab, id string) image.Rectangle {
	r := browser.Eval[[4]float64](tab, `(r => [r.left, r.top, r.right, r.bottom])(document.getElementById('`+id+`').getBoundingClientRect())`)
	return image.Rect(int(r[0]), int(r[1]), int(r[2]), int(r[3]))
}

// The page prints all steps, on as many sheets as necessary, without its controls.
func TestPagePrints(t *testing.T) {
	sheets := func(tab *browser.Tab) int {
		pdf := tab.PDF()
		if !bytes.HasPrefix(pdf, []byte("%PDF-")) {
			t.Fatal("it is no PDF")
		}
		return bytes.Count(pdf, []byte("/Type /Page\n"))
	}
	tab := browser.Open(t, written(t, kept(t, forgets)))
	if n := sheets(tab); n != 1 {
		t.Errorf("a run of 14 steps takes %d sheets", n)
	}
	tab.Media("print")
	if browser.Eval[bool](tab, `getComputedStyle(get('panel')).display !== 'none'`) {
		t.Error("the panel is printed")
	}
	tab = browser.Open(t, written(t, long(t, 2000)))
	tab.Until(`strips.every(s => s.filled)`)
	if n := sheets(tab); n < 20 || n > 80 {
		t.Errorf("a run of 2000 steps takes %d sheets", n)
	}
}
