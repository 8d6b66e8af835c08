package program_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"contend/program/build"
	"contend/program/guest"
	"contend/program/host"
	"contend/program/native"
)

// compiled compiles a package for the guest that it names.
func compiled(t *testing.T, p build.Package) guest.Module {
	plan, err := p.Plan()
	require.NoError(t, err)
	b, err := plan.Compile()
	require.NoError(t, err)
	var m guest.Module
	if p.Native {
		m, err = native.Load(b.File)
	} else {
		m, err = host.Compile(b.Wasm)
	}
	require.NoError(t, err)
	t.Cleanup(func() { m.Close() })
	return m
}
