package browser_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"contend/checker/judge"
	"contend/impl/ordering"
	"contend/model"
	"contend/tools/browser"
)

// Porcupine's page of a history has a line for each client, with its name, and none for other nodes.
func TestHistoryClients(t *testing.T) {
	run := kept(t, "ordering-propose-unawaited-theorem-1")
	var observed []model.Observation
	for _, r := range run.Records {
		observed = append(observed, r.Observations...)
	}
	claims := slices.DeleteFunc(ordering.Protocol.Statements(), func(c model.Claim) bool { return c.Kind != model.Linearizable })
	file := filepath.Join(t.TempDir(), "history.html")
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := judge.Page(f, claims[0].Object, observed, run.World.System.Name, time.Minute); err != nil {
		t.Fatal(err)
	}
	tab := browser.Open(t, file)
	got := browser.Eval[[]string](tab, `[...document.querySelectorAll('#canvas svg > g:first-child > text')].map(e => e.textContent)`)
	if want := []string{"c1", "c2"}; !slices.Equal(got, want) {
		t.Errorf("the lines are %q, want %q", got, want)
	}
}
