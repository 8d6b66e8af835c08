package wrapped

import (
	"slices"

	"contend/model"
)

// An Origin says what a node's code was built from, where that is a program of its own.
type Origin struct {
	Program string `json:"program"`      // the import path of the package, or the file of the module
	Module  string `json:"module"`       // SHA-256 of what was built
	Go      string `json:"go,omitempty"` // the version of Go that built it; "" where that is not known
}

// An Originated is a node that says it.
type Originated interface{ Origin() Origin }

// Escaping is a node that says, a sentence each, what of its code no run shows.
type Escaping interface{ Escapes() []string }

// Origins lists the programs that a system's nodes run, each once, in the order of the nodes.
func Origins(sys *model.System) (all []Origin) {
	for _, spec := range sys.Nodes {
		if spec.Byzantine || spec.New == nil {
			continue
		}
		if n, is := spec.New().(Originated); is && n.Origin() != (Origin{}) && !slices.Contains(all, n.Origin()) {
			all = append(all, n.Origin())
		}
	}
	return all
}

// Escapes lists what of the code of a system's nodes no run shows, each sentence once, in the order of the nodes.
func Escapes(sys *model.System) (all []string) {
	for _, spec := range sys.Nodes {
		if spec.Byzantine || spec.New == nil {
			continue
		}
		if n, is := spec.New().(Escaping); is {
			for _, what := range n.Escapes() {
				if !slices.Contains(all, what) {
					all = append(all, what)
				}
			}
		}
	}
	return all
}
