// Escaping does what no run of it as a node shows.
package main

import (
	"net"
	"os/exec"

	"contend/program/build/testdata/escaping/inner"
)

func main() {
	var d net.Dialer
	_ = d
	if c, err := net.Dial("tcp", "here:1"); err == nil {
		_ = exec.Command("ls").Run()
		inner.Use(c)
	}
}
