package browser_test

import (
	"testing"

	"contend/tools/browser"
)

// The page of a run breaks no rule of accessibility, in light colours and dark, on a desk and on a phone.
func TestPageAccessible(t *testing.T) {
	file := written(t, kept(t, forgets))
	for name, set := range map[string]func(*browser.Tab){
		"light": func(*browser.Tab) {}, "dark": (*browser.Tab).Dark, "phone": func(tab *browser.Tab) { tab.Resize(browser.Phone) },
	} {
		t.Run(name, func(t *testing.T) {
			tab := browser.New(t)
			set(tab)
			tab.Go(file)
			tab.Press("c")
			tab.Accessible()
		})
	}
}
