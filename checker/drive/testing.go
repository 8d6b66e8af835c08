package drive

import (
	"fmt"
	"testing"

	"contend/checker/kept"
	"contend/model"
	"contend/traces"
)

// Test fails a test if an implementation differs from a protocol in a run of the suite that covers all transitions, or
// if the suite does not cover the whole state space. The run of a difference is kept in testdata/contend, and
// replayed first by the next test.
func Test(t testing.TB, p *model.Protocol, c model.Config, target Target) {
	t.Helper()
	dir := kept.Dir(t.Name())
	opt := Options{First: Kept(dir, p, "", c)}
	file := ""
	opt.Found = func(run *traces.Trace) { file, _ = Keep(dir, run) } // the second try below reports an error
	r, err := Drive(p, "", c, target, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict == Agrees {
		t.Logf("%s: %s", p.Name, r)
		return
	}
	text := ""
	if r.Difference != nil && r.Difference.Trace != nil {
		if file, err = Replace(dir, file, r.Difference.Trace); err != nil {
			text = fmt.Sprintf("\nthe run is not kept: %v", err)
		} else {
			text = fmt.Sprintf("\nkept in %s\nreplayed first by: %s", file, kept.GoTest(t.Name()))
		}
	}
	t.Fatalf("%s: %s%s", p.Name, r, text)
}
