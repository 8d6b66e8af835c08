package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"contend/tools/browser"
	"contend/traces/replay"
)

// evil would run if a page treated any of it as more than text.
const evil = `</script><script>window.ran=1</script><img src=x onerror="window.ran=1">'"&lt;${window.ran=1}<svg onload="window.ran=1">]]>`

// hostile returns a run in which every text is evil.
func hostile(t *testing.T) *replay.Run {
	t.Helper()
	run := kept(t, forgets)
	run.Trace.Protocol, run.Trace.Variant, run.Trace.Text, run.Trace.Note = "p"+evil, evil, evil, evil
	run.Trace.Claim = evil
	run.Watched = append(run.Watched, evil)
	for i := range run.World.System.Nodes {
		run.World.System.Nodes[i].Name = fmt.Sprintf("%d%s", i, evil)
	}
	for i := range run.World.Violations {
		run.World.Violations[i].Claim, run.World.Violations[i].Text = evil, evil
	}
	return run
}

// Nothing of a hostile trace runs or breaks the page, at any place, for any key.
func TestPageHostile(t *testing.T) {
	run := hostile(t)
	tab := browser.Open(t, written(t, run))
	at(t, tab, len(run.Records))
	for _, key := range strings.Split("k k j c n n n n c", " ") {
		tab.Press(key)
	}
	at(t, tab, len(run.Records)-1)
	if browser.Eval[bool](tab, `'ran' in window`) {
		t.Error("a text of the trace ran")
	}
	if n := browser.Eval[int](tab, `document.querySelectorAll('img, svg svg, body > script:not([type])').length`); n != 1 {
		t.Errorf("the page has %d scripts and foreign elements, want its own script alone", n)
	}
	if got := tab.Text("h1"); !strings.Contains(got, "<script>window.ran=1") {
		t.Errorf("the title is %q", got)
	}
	if over := browser.Eval[int](tab, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("a long name makes the page wider than its window by %d pixels", over)
	}
}

// The page's policy holds: an injected script does not run, and nothing is fetched.
func TestPagePolicy(t *testing.T) {
	tab := browser.Open(t, written(t, kept(t, forgets)))
	tab.Do(`const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s);
		document.body.insertAdjacentHTML('beforeend', '<img alt="" src="http://127.0.0.1:9/x.png"><b onclick="window.ran=1" id="b">b</b>');
		document.getElementById('b').click();
		fetch('http://127.0.0.1:9/').catch(() => {})`)
	all := strings.Join(tab.Complaints(), "\n")
	for _, directive := range []string{"script-src", "img-src", "default-src"} {
		if !strings.Contains(all, directive) {
			t.Errorf("the policy says nothing of %s: %s", directive, all)
		}
	}
	if browser.Eval[bool](tab, `'ran' in window`) {
		t.Error("a foreign script ran")
	}
}

// Values of the maximum length are truncated, and the largest numbers do not break the page.
func TestPageHuge(t *testing.T) {
	run := kept(t, forgets)
	run.Trace.Text = strings.Repeat("9", 1<<20)
	run.World.Violations[0].Text = run.Trace.Text
	for i := range run.Records {
		run.Records[i].At = 1<<62 + 1
	}
	run.Trace.Time = "dense"
	tab := browser.Open(t, written(t, run))
	at(t, tab, len(run.Records))
	inView(t, tab)
	if n := browser.Eval[int](tab, `document.documentElement.outerHTML.length`); n > 1<<18 {
		t.Errorf("the page has %d letters", n)
	}
	if tall := browser.Eval[int](tab, `picture.clientHeight`); tall < 200 {
		t.Errorf("the diagram has %d pixels", tall)
	}
}
