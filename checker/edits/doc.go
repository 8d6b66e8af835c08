// Package edits generates the nodes of variants that are edits of a protocol's text. A variant's
// declaration has the edit:
//
//	Edit: page.Edit(`append(p.Q, m)`, `append([]Message{m}, p.Q...)`),
//
// The old text must occur once in the methods of the package's nodes; the new text replaces it. The
// generated file declares the variable page. For each node it declares a type that embeds the node,
// with the methods that the edits change and the methods that call them. Such a method selects its
// statements by the edits of its node.
//
// A node is a type with a method Start, Invoke, Receive or Timeout whose first parameter is a
// model.Env. Files that call page.Edit, tests and generated files are not searched for old texts.
//
//   - edits.go: the functions of the command contend-edits
//   - read.go: the files of a package, and the edits in them
//   - match.go: the search for old texts
//   - reach.go: the methods of the generated file
//   - write.go: the generated file
package edits
