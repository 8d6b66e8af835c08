//go:build unix

package traces_test

import (
	"encoding/json"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/traces"
)

// If there is no room for a file, for example on a full disk, the file is unchanged.
func TestNoRoom(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "trace.json")
	require.NoError(t, traces.Save(path, whole()))
	before, err := os.ReadFile(path)
	require.NoError(t, err)
	large := whole()
	large.Picture = json.RawMessage(`{"a":"` + strings.Repeat("n", 2<<20) + `"}`)
	var was syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	small := was
	small.Cur = 1 << 20
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &small))
	err = traces.Save(path, large)
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was))
	require.ErrorIs(t, err, syscall.EFBIG)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
	all, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, all, 1, "a temporary file is left behind")
}
