// Package variant has what the variants of many protocols share.
//
//   - page.go: edits of the text of a protocol's nodes
//   - edit.go: edits of systems, of what nodes share, of nodes
//   - beyond.go: checks with faults
package variant
