//go:build !windows

// Flock locks a file, which programs that are nodes cannot.
package main

import "syscall"

func main() { _ = syscall.Flock(1, syscall.LOCK_EX) }
