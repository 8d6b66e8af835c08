package refine

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
)

// mostAllowed is the approximate maximum number of alternatives in a sentence.
const mostAllowed = 6

// violation returns a sentence about an observation that the page does not show, and the possible ones.
func (f *follower) violation(may States, seen Shown) string {
	allowed := f.page.allows(may, f.name)
	instead := "nothing"
	if more := len(allowed) - mostAllowed; more > 1 {
		allowed = append(allowed[:mostAllowed], fmt.Sprintf("%d other things", more))
	}
	if len(allowed) > 0 {
		instead = strings.Join(allowed, ", or ")
	}
	return fmt.Sprintf("the page %s does not show %s here, but %s", f.page.Page.Name, f.page.format(seen, f.name), instead)
}

// Allows returns the possible next observations of the page, as text.
func (f *follower) Allows(name func(model.NodeID) string) []string { return f.page.allows(f.May, name) }

// allows returns the possible next observations from some states, as text. For nodes without a script it only
// reports that an invocation is possible.
func (p *page) allows(may States, name func(model.NodeID) string) []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	var all []string
	for _, at := range may {
		s := p.state(at)
		if len(s.Owed) > 0 {
			all = append(all, p.format(s.Owed[0], name))
			continue
		}
		s.expand(p)
		for _, x := range s.loud {
			all = append(all, p.format(x.first, name))
		}
		for i, n := range s.Run.Nodes {
			if len(p.system.Nodes[i].Script) == 0 && !p.system.Nodes[i].Byzantine && n.State != nil && !n.Busy && p.invoked(model.NodeID(i)) {
				all = append(all, "an invocation at "+p.system.Nodes[i].Name)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// invoked reports whether a node of the page handles invocations, and the refinement shows them.
func (p *page) invoked(id model.NodeID) bool {
	_, ok := p.system.Nodes[id].New().(model.Invoker)
	return ok && p.Shows(model.Observation{Kind: model.Invoked, Node: id})
}

// format formats an observation. It omits the node's name if the page has one node.
func (p *page) format(s Shown, name func(model.NodeID) string) string {
	what := describe.Value(s.Value, name)
	if s.Kind != model.Noted && s.Kind != model.Delivered {
		what = s.Kind.String() + " " + what
	}
	if len(p.system.Nodes) > 1 && s.Node >= 0 && s.Node < len(p.system.Nodes) {
		what += " at " + p.system.Nodes[s.Node].Name
	}
	return what
}
