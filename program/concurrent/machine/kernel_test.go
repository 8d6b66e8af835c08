//go:build linux && amd64 && !contend_native

package machine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/program/native"
)

// Tests of a package whose assembly asks the kernel are no native guest, and the report says why.
func TestAssemblyAsksKernel(t *testing.T) {
	if why := native.Supported(); why != nil {
		t.Skip(why)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module asks\n",
		"asks_test.go":   "package asks\n",
		"asks_amd64.s":   "TEXT ·pid(SB),$0-8\n\tMOVQ $39, AX\n\tSYSCALL\n\tMOVQ AX, ret+0(FP)\n\tRET\n",
		"asks_amd64.go":  "package asks\n\nfunc pid() int\n",
		"asks_wasip1.go": "package asks\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	t.Chdir(dir)
	const why = "asks asks the kernel by the instruction SYSCALL in asks_amd64.s, which no host can answer"
	_, err := Build(Native, false)
	assert.ErrorContains(t, err, why)
	p, err := Build(Any, false)
	require.NoError(t, err)
	assert.Equal(t, Wasm, p.Guest)
	assert.ErrorContains(t, p.Why, why)
}
