package starter

import "embed"

// Files are the source of this package that verify new copies: the protocol, which is one like any other and tested like
// any other, and its test.
//
// Files are the sources that verify new copies: a protocol and its test.
//
//go:embed starter.go starter_test.go
var Files embed.FS

// Programs are the files of a protocol whose nodes are whole programs, PROGRAM, and the one that makes a program a node.
//
// Programs are the files of a protocol whose nodes are whole programs: PROGRAM, and the file that makes a program
// a node.
//
//go:embed program
var Programs embed.FS
