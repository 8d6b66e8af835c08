package browser_test

import (
	"os"
	"strings"
	"testing"

	"contend/tools/browser"
)

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// A tab records every complaint of a page: console errors, exceptions, violations of its policy.
func TestComplaints(t *testing.T) {
	tab := browser.New(t)
	tab.Go(`data:text/html,<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline'">
		<script>console.log('said');console.error('an error');setTimeout(() => { throw new Error('thrown') })</script>
		<script src="https://example.org/foreign.js"></script>`)
	got := tab.Complaints()
	if len(got) != 3 {
		t.Fatalf("%q", got)
	}
	all := strings.Join(got, "\n")
	for _, want := range []string{"an error", "thrown", "foreign.js"} {
		if !strings.Contains(all, want) {
			t.Errorf("nothing of %q in %q", want, got)
		}
	}
}
