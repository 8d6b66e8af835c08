// Package space draws state spaces. [Picture.DOT] writes a graph in the language of Graphviz: a node for each
// state and an edge for each step.
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

// A Picture is a state space with its title and names.
type Picture struct {
	Title  []string // lines above the graph, at least one
	Claims []string // names, by index
	System *model.System
	Space  *statespace.Space
}

// DOT writes the state space. A state's label has its number and its differences to the parent: changed
// fields and new messages. Its tooltip is the whole state. Its properties are in its class and its style:
//
//	initial      a thick frame
//	done         green: every script is complete
//	violating    red: it breaks an invariant, or the step to it a claim
//	doomed       orange: the goal of a possibility claim is unreachable
//	stuck        yellow: a deadlock, with a script that is not complete
//	cut          a double frame: a cut withholds some step
//	unexpanded   dashed: the search ended before its successors were computed
//
// A step that breaks a claim is red, a step of the environment grey. A step with a failed handler leads
// to a node that is no state.
func (p *Picture) DOT(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "digraph contend {\n")
	fmt.Fprintf(b, "  graph [label=%s, labelloc=t, labeljust=l, fontname=\"monospace\", tooltip=%s];\n", lines(p.Title), quote(p.Title[0]))
	fmt.Fprintf(b, "  node [shape=box, fontname=\"monospace\", fontsize=9, margin=0.06];\n  edge [fontname=\"monospace\", fontsize=8];\n")
	broken := p.violations()
	for n := range p.Space.States {
		p.state(b, n, broken[n])
	}
	for k := range p.Space.Edges {
		p.edge(b, k)
	}
	fmt.Fprintf(b, "}\n")
	return b.Flush()
}

// violations returns, by state, the claims that the state or a step to it breaks.
func (p *Picture) violations() [][]int {
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

// A stateStyle is the drawing style of a property of states.
type stateStyle struct{ class, fill, style, more string }

// styles returns the styles of a state. Of several colours the first counts.
func styles(m *statespace.State, broken []int) (all []stateStyle) {
	for _, l := range []struct {
		is bool
		stateStyle
	}{
		{len(broken) > 0, stateStyle{"violating", "#f4a6a0", "", ""}}, {len(m.Doomed) > 0, stateStyle{"doomed", "#f7c98b", "", ""}},
		{m.Stuck, stateStyle{"stuck", "#f5ec9a", "", ""}}, {m.Done, stateStyle{"done", "#bfe3b4", "", ""}},
		{m.From < 0, stateStyle{"initial", "", "bold", ""}}, {!m.Expanded, stateStyle{"unexpanded", "", "dashed", ""}}, {m.Cut, stateStyle{"cut", "", "", ", peripheries=2"}},
	} {
		if l.is {
			all = append(all, l.stateStyle)
		}
	}
	return all
}

func (p *Picture) state(w io.Writer, n int, broken []int) {
	m := &p.Space.States[n]
	label := append([]string{fmt.Sprint(n)}, p.differences(m)...)
	for _, c := range broken {
		label = append(label, "✗ "+p.claim(c))
	}
	for _, c := range m.Doomed {
		label = append(label, "doomed: "+p.claim(c))
	}
	class, fill, style, more := []string{"state"}, "", []string{"filled"}, ""
	for _, l := range styles(m, broken) {
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
		n, lines(label), lines(p.contents(m)), quote(strings.Join(class, " ")), quote(strings.Join(style, ",")), fill, more)
}

// differences returns the differences of a state to its parent.
func (p *Picture) differences(m *statespace.State) []string {
	if m.From < 0 {
		return p.contents(m)
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

// contents returns the non-zero fields of a state, and its messages in flight.
func (p *Picture) contents(m *statespace.State) (all []string) {
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

func (p *Picture) messages(m *statespace.State) (all []string) {
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

// event returns the label of a step, such as "deliver s1→c1 Answer{…}", after the ticks before it.
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

// value returns a value as a text, without empty braces.
func (p *Picture) value(v any) string {
	return strings.TrimSuffix(describe.Value(v, p.System.Name), "{}")
}

// claim returns the name of a claim by its index.
func (p *Picture) claim(i int) string {
	if i == len(p.Claims) {
		return model.NoHandlerFails
	}
	return p.Claims[i]
}

// Limits of labels, in characters and lines. Longer labels are truncated.
const (
	maxLineLength = 100
	maxLines      = 40
)

// lines returns a quoted label of left-justified lines.
func lines(all []string) string {
	if len(all) > maxLines {
		all = append(slices.Clone(all[:maxLines]), "…")
	}
	var b strings.Builder
	for _, l := range all {
		if r := []rune(l); len(r) > maxLineLength {
			l = string(r[:maxLineLength]) + "…"
		}
		b.WriteString(escape(l) + `\l`)
	}
	return `"` + b.String() + `"`
}

func quote(text string) string { return `"` + escape(text) + `"` }

// escape returns a text for use within quotes. A backslash begins an escape there, and some readers do not
// accept line breaks.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ").Replace(text)
}
