package variant

import (
	"slices"

	"contend/model"
)

// All returns an edit that makes several edits, one after another.
func All(edits ...func(*model.System)) func(*model.System) {
	return func(s *model.System) {
		for _, edit := range edits {
			edit(s)
		}
	}
}

// Setup returns an edit of the configuration that the nodes share: a *C.
func Setup[C any](change func(*C)) func(*model.System) {
	return func(s *model.System) { change(s.Setup.(*C)) }
}

// Nodes returns an edit that replaces the nodes of type *N. The engine calls replace with a node as it is
// before Start. A system without such a node is [model.Misused].
func Nodes[N any](replace func(N) model.Node) func(*model.System) {
	return replacing(func(n model.Node) model.Node {
		if n, is := n.(*N); is {
			return replace(*n)
		}
		return nil
	})
}

// EditedNodes is [Nodes] for nodes that may already run edits of the text: they have type *N, or the
// generated type *E. The function edited returns the generated node without edits. A node that embeds E runs
// the edits that are joined before or after.
func EditedNodes[N, E any](edited func(N) E, replace func(E) model.Node) func(*model.System) {
	return replacing(func(n model.Node) model.Node {
		switch n := n.(type) {
		case *N:
			return replace(edited(*n))
		case *E:
			return replace(*n)
		}
		return nil
	})
}

// replacing returns an edit that replaces nodes. The function returns nil for a node that stays.
func replacing(replace func(model.Node) model.Node) func(*model.System) {
	return func(s *model.System) {
		replaced := false
		for i := range s.Nodes {
			made := s.Nodes[i].New
			if made == nil || replace(made()) == nil {
				continue
			}
			replaced = true
			s.Nodes[i].New = func() model.Node { return replace(made()) }
		}
		if !replaced {
			model.Misused("the edit is of nodes that the system does not have")
		}
	}
}

// Channel returns an edit of the network's channels.
func Channel(c model.Channel) func(*model.System) {
	return func(s *model.System) { s.Network.Channel = c }
}

// Types returns an edit that lists further types: see [model.System.Types].
func Types(values ...any) func(*model.System) {
	return func(s *model.System) { s.Types = append(s.Types, values...) }
}

// MayCrash returns an edit after which crashes strike only the nodes with these ids.
func MayCrash(ids ...model.NodeID) func(*model.System) {
	return func(s *model.System) {
		for i := range s.Nodes {
			if !slices.Contains(ids, model.NodeID(i)) {
				s.Nodes[i].Crash = model.NoCrashes
			}
		}
	}
}
