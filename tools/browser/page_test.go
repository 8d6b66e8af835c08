package browser_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"contend/tools/browser"
	"contend/traces/draw"
)

// forgets is a run of 14 steps with a crash and a restart. Its end violates mutual exclusion.
const forgets = "centralized-coordinator-forgets-mutual-exclusion"

// at fails the test unless the page shows a step eventually, in the panel and in the picture.
func at(t *testing.T, tab *browser.Tab, step int) {
	t.Helper()
	// A part of the picture is unpacked when it scrolls into view, possibly after the panel shows the step.
	tab.Until(fmt.Sprintf(`document.body.dataset.shown === '%d' && picture.querySelector('[aria-current=step]') !== null`, step))
	if got := tab.Text("#place"); !strings.HasPrefix(got, fmt.Sprintf("%d of ", step)) {
		t.Errorf("the panel is at %q, want step %d", got, step)
	}
	if got := browser.Eval[[]string](tab, `[...document.querySelectorAll('[aria-current=step]')].map(e => e.dataset.step)`); !slices.Equal(got, []string{fmt.Sprint(step)}) {
		t.Errorf("the picture is at %q, want step %d", got, step)
	}
	if got := browser.Eval[string](tab, `location.hash`); got != fmt.Sprintf("#step=%d", step) {
		t.Errorf("the address ends in %q, want step %d", got, step)
	}
}

// Each key in the page's help has the described effect.
func TestPageKeys(t *testing.T) {
	run := kept(t, forgets)
	last := len(run.Records)
	tab := browser.Open(t, written(t, run))
	at(t, tab, last) // where the claim breaks
	for _, k := range []struct {
		key  string
		step int
	}{
		{kb.Home, 0}, {kb.ArrowUp, 0}, {kb.ArrowDown, 1}, {"j", 2}, {"k", 1}, {kb.ArrowUp, 0}, {kb.End, last}, {"j", last},
	} {
		tab.Press(k.key)
		at(t, tab, k.step)
	}
	tab.Press("c")
	if !browser.Eval[bool](tab, `document.getElementById('past').checked`) {
		t.Error("c does not light up the past")
	}
	tab.Press("c", "n")
	if got := browser.Eval[string](tab, `document.getElementById('node').value`); got != "0" {
		t.Errorf("n shows the history of node %s", got)
	}
	tab.Press("/", "j")
	if got := browser.Eval[string](tab, `document.activeElement.id + ' ' + document.activeElement.value`); got != "wanted j" {
		t.Errorf("/ and a letter come to %q", got)
	}
	help := tab.Text("#panel")
	for _, key := range []string{"↓", "j", "↑", "k", "Home", "End", "c", "n", "/"} {
		if !strings.Contains(help, key+" ") && !strings.Contains(help, key+",") {
			t.Errorf("the help does not name %s", key)
		}
	}
}

// Clicks on rows, messages, links and buttons go where they should.
func TestPageClicks(t *testing.T) {
	run := kept(t, forgets)
	tab := browser.Open(t, written(t, run))
	tab.Click(`g[data-step="3"] text`)
	at(t, tab, 3)
	tab.Click(`.message[data-sent="1"] .label`)
	at(t, tab, 2)
	tab.Click(`.message[data-sent="1"] .label`)
	at(t, tab, 1)
	tab.Click("#next")
	at(t, tab, 2)
	tab.Click("#before a")
	at(t, tab, 1)
	tab.Click("#last")
	at(t, tab, len(run.Records))
	tab.Click("#back")
	tab.Click("#link")
	at(t, tab, len(run.Records)-1)
	tab.Click("#first")
	at(t, tab, 0)
	tab.Click(`#names text[data-lane="1"]`)
	if got := browser.Eval[string](tab, `document.getElementById('node').value`); got != "1" {
		t.Errorf("a click on the name of node 1 shows the history of %s", got)
	}
	tab.Click(`#names text[data-lane="1"]`)
	if got := browser.Eval[string](tab, `document.getElementById('node').value`); got != "-1" {
		t.Errorf("a second click shows the history of %s", got)
	}
}

// A page opens at the step in its address, and follows a change of the address.
func TestPageHash(t *testing.T) {
	run := kept(t, forgets)
	file := written(t, run)
	tab := browser.Open(t, file+"#step=6")
	at(t, tab, 6)
	tab.Do(`location.hash = '#step=2'`)
	at(t, tab, 2)
	tab.Do(`location.hash = '#step=9999999'`)
	at(t, tab, len(run.Records))
	tab.Do(`location.hash = '#step=<script>'`)
	if got := tab.Text("#place"); !strings.HasPrefix(got, fmt.Sprint(len(run.Records))) {
		t.Errorf("an address that names no step leads to %q", got)
	}
}

// The history of a node goes through its steps alone, and shows its state alone.
func TestPageHistory(t *testing.T) {
	run := kept(t, forgets)
	tab := browser.Open(t, written(t, run)+"#step=0")
	at(t, tab, 0)
	tab.Press("n")
	for i, r := range run.Records {
		if r.Node != 0 || i == len(run.Records)-1 {
			continue
		}
		tab.Press("j")
		at(t, tab, i+1)
	}
	if got := browser.Eval[[]string](tab, `[...document.querySelectorAll('#states tbody tr td:first-child')].map(e => e.textContent).filter(x => x)`); !slices.Equal(got, []string{"coordinator"}) {
		t.Errorf("the states are those of %q", got)
	}
	lit := browser.Eval[[]int](tab, `[...document.querySelectorAll('g.step:not(.away)')].map(e => +e.dataset.step)`)
	for _, i := range lit {
		if i > 0 && run.Records[i-1].Node != 0 {
			t.Errorf("step %d is of another node, and is lit", i)
		}
	}
	if len(lit) == len(run.Records)+1 {
		t.Error("all steps are lit")
	}
}

// The causal past of a step is lit: the steps from which it can be reached, and no other.
func TestPagePast(t *testing.T) {
	run := kept(t, forgets)
	before := draw.New(run).Before()
	const step = 9
	past := map[int]bool{step: true}
	for i := step; i >= 0; i-- {
		for _, b := range before[i] {
			past[b] = past[b] || past[i]
		}
	}
	tab := browser.Open(t, written(t, run)+fmt.Sprintf("#step=%d", step))
	at(t, tab, step)
	tab.Press("c")
	lit := browser.Eval[[]int](tab, `[...document.querySelectorAll('g.step:not(.away)')].map(e => +e.dataset.step)`)
	for i := range before {
		if past[i] != slices.Contains(lit, i) {
			t.Errorf("step %d is of the past: %v; it is lit: %v", i, past[i], !past[i])
		}
	}
	if len(lit) < 2 || len(lit) > step {
		t.Errorf("a past of %d steps tells nothing", len(lit))
	}
}

// The state after a step has all nodes, and marks the step's changes. A claim is shown as violated from the
// violating step on.
func TestPageStates(t *testing.T) {
	run := kept(t, forgets)
	tab := browser.Open(t, written(t, run))
	at(t, tab, len(run.Records))
	if got := tab.Text("#claims .broken"); !strings.Contains(got, fmt.Sprintf("mutual exclusion, since step %d", len(run.Records))) {
		t.Errorf("it says of the claim: %q", got)
	}
	tab.Press("k")
	if got := browser.Eval[int](tab, `document.querySelectorAll('#claims .broken').length`); got != 0 {
		t.Errorf("a step earlier %d claims are broken", got)
	}
	tab.Press(kb.Home, "j")
	at(t, tab, 1)
	if got := tab.Text("#states tr.changed"); !strings.HasPrefix(got, draw.New(run).Rows[1].Who) {
		t.Errorf("the first step changes %q", got)
	}
	crash := 1 + slices.IndexFunc(draw.New(run).Rows[1:], func(r draw.Row) bool { return r.What == "crashes" })
	tab.Do(fmt.Sprintf(`location.hash = '#step=%d'`, crash))
	at(t, tab, crash)
	if got := tab.Text("#states tr.changed"); !strings.Contains(got, "down") {
		t.Errorf("a crash changes %q", got)
	}
}

// Find goes to the next step whose description contains a text, and wraps around. It shows a message if there
// is no such step.
func TestPageFind(t *testing.T) {
	run := kept(t, forgets)
	rows := draw.New(run).Rows
	crash := slices.IndexFunc(rows, func(r draw.Row) bool { return r.What == "crashes" })
	tab := browser.Open(t, written(t, run))
	at(t, tab, len(run.Records))
	tab.Press("/", "Crashes", kb.Enter)
	at(t, tab, crash)
	tab.Press("q", kb.Enter)
	tab.Until(`document.getElementById('found').textContent === 'no step says so'`)
	at(t, tab, crash)
}

// The keyboard alone reaches all elements in the order of the page, and the focus is visible.
func TestPageByKeyboard(t *testing.T) {
	tab := browser.Open(t, written(t, kept(t, forgets))+"#step=3")
	at(t, tab, 3)
	links := browser.Eval[[]string](tab, `[...document.querySelectorAll('header a')].map(a => a.textContent)`)
	if len(links) == 0 {
		t.Fatal("nothing says why the claim broke")
	}
	var order []string
	for range 20 + len(links) {
		tab.Press(kb.Tab)
		is := browser.Eval[string](tab, `document.activeElement.id || document.activeElement.textContent`)
		if is == "" || strings.Contains(is, "use strict") { // the body: all have had their turn
			break
		}
		order = append(order, is)
		if browser.Eval[string](tab, `getComputedStyle(document.activeElement).outlineStyle`) == "none" {
			t.Errorf("%s has the focus, and does not show it", is)
		}
	}
	want := append(links, "picture", "panel", "first", "back", "next", "last", "slider", "step 2", "past", "node", "wanted", "next match", "link")
	if !slices.Equal(order, want) {
		t.Errorf("the order is %q, want %q", order, want)
	}
	tab.Do(`document.getElementById('back').focus()`)
	tab.PressShift(kb.Tab)
	tab.Press(kb.Enter)
	at(t, tab, 0)
}
