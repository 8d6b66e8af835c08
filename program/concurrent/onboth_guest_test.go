//go:build contend && (wasip1 || contend_native)

package concurrent_test

import (
	"testing"

	"contend/program/concurrent"
)

func onBoth(*testing.T)                           {}
func checkDefault(*testing.T, *concurrent.Report) {}
