package browser_test

import (
	"testing"

	"contend/tools/browser"
)

// The pages of a run with a crash, and of a lasso with messages in flight, break no accessibility rule. They
// are checked in light and dark colors, in a desktop window and on a phone. With -short the second page is
// checked in light colors only.
func TestPageAccessible(t *testing.T) {
	for _, run := range []string{forgets, "backoff-metronome-corollary-2-adaptive"} {
		t.Run(run, func(t *testing.T) { accessible(t, written(t, kept(t, run)), !testing.Short() || run == forgets) })
	}
}

func accessible(t *testing.T, file string, everywhere bool) {
	t.Helper()
	for name, set := range map[string]func(*browser.Tab){
		"light": func(*browser.Tab) {}, "dark": (*browser.Tab).Dark, "phone": func(tab *browser.Tab) { tab.Resize(browser.Phone) },
	} {
		if !everywhere && name != "light" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			tab := browser.New(t)
			set(tab)
			tab.Go(file)
			tab.Press("c", "f", "k")
			tab.Accessible()
		})
	}
}
