// Package edits makes the nodes of variants that are edits of a protocol's text. A variant states its edit where it is declared:
//
//	Edit: page.Edit(`append(p.Q, m)`, `append([]Message{m}, p.Q...)`),
//
// The old text occurs once in the methods of the package's nodes, the new text takes its place. The generated file declares the variable
// page. For each node it declares a type that embeds the node, with the methods that the edits change and the methods that call them. Such a
// method chooses its statements by the edits of its node; all other methods are the node's own.
//
// A node is a type with a method Start, Invoke, Receive or Timeout that takes a model.Env first. Files that call page.Edit, tests and
// generated files are not searched for old texts.
//
//   - edits.go: what the command contend-edits does
//   - read.go: the files of a package, and the edits in them
//   - match.go: where an old text occurs
//   - reach.go: which methods the generated file has
//   - write.go: the generated file
package edits
