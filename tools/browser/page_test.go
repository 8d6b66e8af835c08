package browser_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"contend/impl/backoff"
	"contend/tools/browser"
	"contend/traces"
	"contend/traces/page"
)

func TestKeys(t *testing.T) {
	tr, err := traces.Load("../../traces/testdata/backoff-lease-delta-lemma-1.json")
	if err != nil {
		t.Fatal(err)
	}
	run, err := traces.Replay(backoff.Protocol, tr, nil)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "run.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := page.Write(f, run); err != nil {
		t.Fatal(err)
	}
	tab := browser.Open(t, file)
	if got := tab.Text("#place"); got != "8 of 8" {
		t.Error(got)
	}
	tab.Press(kb.Home)
	tab.Press("j", "j")
	if got := tab.Text("#place"); got != "2 of 8" {
		t.Error(got)
	}
	tab.Screenshot()
}
