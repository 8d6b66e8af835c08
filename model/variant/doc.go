// Package variant has the common parts of the variants of many protocols.
//
//   - page.go: edits of the text of a protocol's nodes
//   - edit.go: edits of systems, of the nodes' shared configuration, of nodes
//   - beyond.go: checks with faults
package variant
