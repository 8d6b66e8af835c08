// Package inner has Go code in place of its C and its assembly.
package inner

import (
	"net"
	_ "unsafe"
)

//go:linkname nanotime runtime.nanotime
func nanotime() int64

// Use uses a connection, and would listen, were it a package of the program's own module.
func Use(net.Conn) { _ = nanotime() }
