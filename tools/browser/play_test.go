package browser_test

import (
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"fmt"
	"time"

	"contend/checker/explore"
	"contend/impl/backoff"
	"contend/impl/ordering"
	"contend/impl/multicast/view"
	"contend/model"
	"contend/tools/browser"
	"contend/traces"
)

func open(t *testing.T, p *model.Protocol, c model.Config, reading model.Reading) *browser.Tab {
	t.Helper()
	s, err := explore.New(explore.Options{Protocol: p, Header: traces.New(p, "", p.Filled(c), reading != model.Untimed, "", ""), Check: model.Check{Config: c, Reading: reading}, Command: "verify explore " + p.Name, Out: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	var h http.Handler
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(w, r) }))
	h = s.Handler(server.Listener.Addr().String())
	t.Cleanup(server.Close)
	return browser.Open(t, server.URL+s.Path())
}

func shot(t *testing.T, tab *browser.Tab, name string) {
	f, _ := os.Create("/tmp/xp/" + name + ".png")
	png.Encode(f, tab.Screenshot())
	f.Close()
}

func click(tab *browser.Tab, n int) {
	for i := 0; i < n; i++ {
		tab.Until(`!document.body.hasAttribute('aria-busy')`)
		browser.Eval[bool](tab, fmt.Sprintf(`(() => { const a = document.querySelector('#ask'); if (!a.hidden) { a.querySelectorAll('button')[%d %% 2].click(); return true } const all = [...document.querySelectorAll('#offers .event button')]; if (all.length) all[%d %% all.length].click(); return true })()`, i, i*7+3))
	}
	tab.Until(`!document.body.hasAttribute('aria-busy')`)
}

func TestPlay(t *testing.T) {
	tab := open(t, backoff.Protocol, model.Config{}.With(model.N.Is(6), model.B.Is(1)), model.Grid)
	tab.Until(`document.querySelectorAll('#offers button').length > 0`)
	click(tab, 8)
	shot(t, tab, "backoff-liar")
	tab = open(t, ordering.Protocol, model.Config{}.With(model.N.Is(7), model.B.Is(1)), model.Untimed)
	tab.Until(`document.querySelectorAll('#offers button').length > 0`)
	begin := time.Now()
	click(tab, 40)
	fmt.Println("per click", time.Since(begin)/40)
	shot(t, tab, "ordering")
	tab.Press("t")
	shot(t, tab, "ordering-tree")
	tab.Press("e")
	tab.Click("#go")
	time.Sleep(3 * time.Second)
	shot(t, tab, "ordering-search")
	tab = open(t, view.Protocol, model.Config{Faults: model.Faults{Crashes: 1}}, model.Untimed)
	tab.Until(`document.querySelectorAll('#offers button').length > 0`)
	click(tab, 12)
	tab.Dark()
	shot(t, tab, "view-dark")
	tab.Press("f")
	tab.Resize(browser.Phone)
	shot(t, tab, "view-phone")
}
