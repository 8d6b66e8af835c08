//go:build !(linux && amd64)

// Package native runs Go programs within this process, on linux/amd64 only.
package native

import (
	"fmt"
	"runtime"

	"contend/program/guest"
)

// Supported returns why there are no native guests here.
func Supported() error {
	return fmt.Errorf("native guests run on linux/amd64, and this is %s/%s", runtime.GOOS, runtime.GOARCH)
}

// Load takes no program here.
func Load(string) (guest.Module, error) { return nil, Supported() }
