package refine

import (
	"fmt"
	"slices"
	"strings"

	"contend/model"
	"contend/model/describe"
)

// mostAllowed is how many things a sentence lists that a page may show, or one more.
const mostAllowed = 6

// refused says what is seen though the page does not show it, and what it might have shown.
func (f *follower) refused(may States, seen Shown) string {
	allowed := f.page.allows(may, f.name)
	instead := "nothing"
	if more := len(allowed) - mostAllowed; more > 1 {
		allowed = append(allowed[:mostAllowed], fmt.Sprintf("%d other things", more))
	}
	if len(allowed) > 0 {
		instead = strings.Join(allowed, ", or ")
	}
	return fmt.Sprintf("the page %s does not show %s here, but %s", f.page.Page.Name, f.page.tell(seen, f.name), instead)
}

// Allows lists what the page may show next.
func (f *follower) Allows(name func(model.NodeID) string) []string { return f.page.allows(f.May, name) }

// allows lists what the page may show next from some states, but for invocations that only being
// seen brings about: of those it says that there may be one.
func (p *page) allows(may States, name func(model.NodeID) string) []string {
	p.lock.Lock()
	defer p.lock.Unlock()
	var all []string
	for _, at := range may {
		s := p.state(at)
		if len(s.Owed) > 0 {
			all = append(all, p.tell(s.Owed[0], name))
			continue
		}
		s.expand(p)
		for _, x := range s.loud {
			all = append(all, p.tell(x.first, name))
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

// invoked reports whether a node of the page has a handler of invocations, and they are shown.
func (p *page) invoked(id model.NodeID) bool {
	_, is := p.system.Nodes[id].New().(model.Invoker)
	return is && p.Shows(model.Observation{Kind: model.Invoked, Node: id})
}

// tell writes what is shown; of a page of one node, without its name.
func (p *page) tell(s Shown, name func(model.NodeID) string) string {
	what := describe.Value(s.Value, name)
	if s.Kind != model.Noted && s.Kind != model.Delivered {
		what = s.Kind.String() + " " + what
	}
	if len(p.system.Nodes) > 1 && s.Node >= 0 && s.Node < len(p.system.Nodes) {
		what += " at " + p.system.Nodes[s.Node].Name
	}
	return what
}
