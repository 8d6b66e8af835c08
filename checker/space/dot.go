// Package space draws state spaces: [Picture.DOT] writes one in the language of Graphviz, each state a
// node and each step an edge.
package space

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"contend/checker/search/runs"
	"contend/checker/search/statespace"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/describe"
)

// A Picture is what there is to draw of a search.
type Picture struct {
	Title  []string // lines above the graph, one at least
	Claims []string // by place
	System *model.System
	Space  *statespace.Space
}

// DOT writes the state space. A state is labelled with its number and with what it has that the state has
// not from which it was met first: fields that changed, and messages that were sent; its tooltip is the
// whole state. What a state is stands in its class, and shows in how it is drawn:
//
//	initial      a thick frame
//	done         green: every script is done
//	violating    red: it breaks an invariant, or the step to it a claim
//	doomed       orange: the goal of a claim that is possible from everywhere cannot be reached from it
//	stuck        yellow: nothing can happen any more, and a script is not done
//	cut          a double frame: a cut keeps some step from being taken
//	unexpanded   dashed: the search ended before its steps were looked at
//
// A step that breaks a claim is red, one of the environment grey, and one in which a handler fails leads to
// a node of its own that stands for no state.
func (p *Picture) DOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph contend {\n")
	fmt.Fprintf(b, "  graph [label=%s, labelloc=t, labeljust=l, fontname=\"monospace\", tooltip=%s];\n", lines(p.Title), quoted(p.Title[0]))
	fmt.Fprintf(b, "  node [shape=box, fontname=\"monospace\", fontsize=9, margin=0.06];\n  edge [fontname=\"monospace\", fontsize=8];\n")
	broken := p.broken()
	for n := range p.Space.States {
		p.state(b, n, broken[n])
	}
	for k := range p.Space.Edges {
		p.edge(b, k)
	}
	fmt.Fprintf(b, "}\n")
	return b.Flush()
}

// broken lists for each state the claims that it breaks, or that a step to it does.
func (p *Picture) broken() [][]int {
	broken := make([][]int, len(p.Space.States))
	for n := range broken {
		broken[n] = slices.Clone(p.Space.States[n].Violates)
	}
	for _, e := range p.Space.Edges {
		if e.To >= 0 {
			broken[e.To] = append(broken[e.To], e.Violates...)
		}
	}
	for n := range broken {
		slices.Sort(broken[n])
		broken[n] = slices.Compact(broken[n])
	}
	return broken
}

// A look is how a state is drawn that is something.
type look struct{ class, fill, style, more string }

// looks are those of a state; of several colours the first counts.
func looks(m *statespace.Met, broken []int) (all []look) {
	for _, l := range []struct {
		is bool
		look
	}{
		{len(broken) > 0, look{"violating", "#f4a6a0", "", ""}}, {len(m.Doomed) > 0, look{"doomed", "#f7c98b", "", ""}},
		{m.Stuck, look{"stuck", "#f5ec9a", "", ""}}, {m.Done, look{"done", "#bfe3b4", "", ""}},
		{m.From < 0, look{"initial", "", "bold", ""}}, {!m.Expanded, look{"unexpanded", "", "dashed", ""}}, {m.Cut, look{"cut", "", "", ", peripheries=2"}},
	} {
		if l.is {
			all = append(all, l.look)
		}
	}
	return all
}

func (p *Picture) state(w io.Writer, n int, broken []int) {
	m := &p.Space.States[n]
	label := append([]string{fmt.Sprint(n)}, p.news(m)...)
	for _, c := range broken {
		label = append(label, "✗ "+p.claim(c))
	}
	for _, c := range m.Doomed {
		label = append(label, "doomed: "+p.claim(c))
	}
	class, fill, style, more := []string{"state"}, "", []string{"filled"}, ""
	for _, l := range looks(m, broken) {
		class, more = append(class, l.class), more+l.more
		if fill == "" {
			fill = l.fill
		}
		if l.style != "" {
			style = append(style, l.style)
		}
	}
	if fill == "" {
		fill = "#ffffff"
	}
	fmt.Fprintf(w, "  s%d [label=%s, tooltip=%s, class=%s, style=%s, fillcolor=%q%s];\n",
		n, lines(label), lines(p.whole(m)), quoted(strings.Join(class, " ")), quoted(strings.Join(style, ",")), fill, more)
}

// news says what a state has that the state has not from which it was met first.
func (p *Picture) news(m *statespace.Met) []string {
	if m.From < 0 {
		return p.whole(m)
	}
	before := &p.Space.States[m.From]
	var all []string
	for i, n := range m.Nodes {
		name := p.System.Name(model.NodeID(i))
		switch {
		case n == nil && before.Nodes[i] != nil:
			all = append(all, name+" is down")
		case n != nil && before.Nodes[i] == nil:
			all = append(all, name+" is up")
		}
		for _, c := range describe.Diff(before.Nodes[i], n, p.System.Name) {
			all = append(all, fmt.Sprintf("%s.%s: %s → %s", name, c.Field, c.Before, c.After))
		}
	}
	was := p.messages(before)
	for _, message := range p.messages(m) {
		if i := slices.Index(was, message); i >= 0 {
			was = slices.Delete(was, i, i+1)
			continue
		}
		all = append(all, "+ "+message)
	}
	return all
}

// whole tells a whole state: the fields that are set, and the messages in flight.
func (p *Picture) whole(m *statespace.Met) (all []string) {
	for i, n := range m.Nodes {
		for _, f := range describe.Fields(n, p.System.Name) {
			all = append(all, fmt.Sprintf("%s.%s: %s", p.System.Name(model.NodeID(i)), f.Name, f.Is))
		}
	}
	all = append(all, p.messages(m)...)
	if len(all) == 0 {
		return []string{"nothing is set"}
	}
	return all
}

func (p *Picture) messages(m *statespace.Met) (all []string) {
	for _, f := range m.InFlight {
		all = append(all, fmt.Sprintf("%s→%s %s", p.System.Name(f.From), p.System.Name(f.To), p.value(f.Value)))
	}
	slices.Sort(all)
	return all
}

func (p *Picture) edge(w io.Writer, k int) {
	e := &p.Space.Edges[k]
	label, to, colour := []string{p.event(e.Step)}, fmt.Sprintf("s%d", e.To), ""
	for _, c := range e.Violates {
		label = append(label, "✗ "+p.claim(c))
	}
	switch {
	case len(e.Violates) > 0:
		colour = ", color=\"#c0392b\", fontcolor=\"#c0392b\""
	case e.Step.Kind.Adversarial() && e.Step.Kind < step.Passing:
		colour = ", color=\"#8a8a8a\", fontcolor=\"#6a6a6a\""
	}
	if e.To < 0 {
		to = fmt.Sprintf("f%d", k)
		fmt.Fprintf(w, "  %s [label=\"a handler fails\", class=\"failure\", shape=plaintext];\n", to)
	}
	fmt.Fprintf(w, "  s%d -> %s [label=%s%s];\n", e.From, to, lines(label), colour)
}

// event names a step: "deliver s1→c1 Answer{…}", after the ticks that pass before it.
func (p *Picture) event(s runs.Step) string {
	text := ""
	if s.Delay > 0 {
		text = fmt.Sprintf("+%d ", s.Delay)
	}
	switch {
	case s.Kind >= step.Passing:
		return text + "time passes, or a coin is tossed"
	case s.Kind == model.Expire:
		text += fmt.Sprintf("%v %s", s.Kind, p.claim(s.Claim))
	case s.Kind == model.Deliver, s.Kind == model.Lose, s.Kind == model.Duplicate, s.Kind == model.Forge:
		text += fmt.Sprintf("%v %s→%s", s.Kind, p.System.Name(s.From), p.System.Name(s.Node))
	case s.Node >= 0:
		text += fmt.Sprintf("%v %s", s.Kind, p.System.Name(s.Node))
	default:
		text += s.Kind.String()
	}
	if s.Value != nil {
		text += " " + p.value(s.Value)
	}
	return text
}

// value writes a value; one that says all by its type goes without braces.
func (p *Picture) value(v any) string {
	return strings.TrimSuffix(describe.Value(v, p.System.Name), "{}")
}

// claim is the name of a claim by its place.
func (p *Picture) claim(i int) string {
	if i == len(p.Claims) {
		return model.NoHandlerFails
	}
	return p.Claims[i]
}

// Labels are bounded: what is longer than a line of so many characters, or has more lines, is cut.
const (
	longestLine = 100
	mostLines   = 40
)

// lines quotes lines, each flush left.
func lines(all []string) string {
	if len(all) > mostLines {
		all = append(slices.Clone(all[:mostLines]), "…")
	}
	var b strings.Builder
	for _, l := range all {
		if r := []rune(l); len(r) > longestLine {
			l = string(r[:longestLine]) + "…"
		}
		b.WriteString(escaped(l) + `\l`)
	}
	return `"` + b.String() + `"`
}

func quoted(text string) string { return `"` + escaped(text) + `"` }

// escaped is a text within quotes: there a backslash begins an escape, and a line ends a string in some
// readers.
func escaped(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(text)
}
