//go:build !windows

// Rights makes a message with a file descriptor for a socket, which no program in WebAssembly can send.
package main

import "syscall"

func main() { _ = syscall.UnixRights(1) }
