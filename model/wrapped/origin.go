package wrapped

import (
	"slices"

	"contend/model"
)

// An Origin is the identity of a program that a node executes.
type Origin struct {
	Program string `json:"program"`      // the import path of the package, or the file of the module
	Module  string `json:"module"`       // SHA-256 of the built module
	Go      string `json:"go,omitempty"` // the version of Go that built it; "" if not known
	// Guest is "native" for a program that runs within the checker's process, and "" for one in WebAssembly.
	Guest string `json:"guest,omitempty"`
}

// An Originated is a node with an origin.
type Originated interface{ Origin() Origin }

// An Escaping is a node that reports, one sentence each, operations of its code that runs do not cover.
type Escaping interface{ Escapes() []string }

// Origins returns the distinct origins of a system's nodes, in the order of the nodes.
func Origins(sys *model.System) (all []Origin) {
	for _, spec := range sys.Nodes {
		if spec.Byzantine || spec.New == nil {
			continue
		}
		if n, ok := spec.New().(Originated); ok && n.Origin() != (Origin{}) && !slices.Contains(all, n.Origin()) {
			all = append(all, n.Origin())
		}
	}
	return all
}

// Escapes returns the distinct sentences of a system's [Escaping] nodes, in the order of the nodes.
func Escapes(sys *model.System) (all []string) {
	for _, spec := range sys.Nodes {
		if spec.Byzantine || spec.New == nil {
			continue
		}
		if n, ok := spec.New().(Escaping); ok {
			for _, what := range n.Escapes() {
				if !slices.Contains(all, what) {
					all = append(all, what)
				}
			}
		}
	}
	return all
}
