package outside

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	bolt "go.etcd.io/bbolt"
)

// A loss of power during the first write of a new file may leave a part of the write. With less than a page the store does not open. (With less than two
// pages the process ends by SIGBUS.)
func TestBboltTornCreation(t *testing.T) {
	name := filepath.Join(t.TempDir(), "whole")
	db, err := bolt.Open(name, 0o600, nil)
	require.NoError(t, err)
	require.NoError(t, db.Close())
	whole, err := os.ReadFile(name)
	require.NoError(t, err)
	for _, size := range []int{1, 512, os.Getpagesize() - 1} {
		torn := filepath.Join(t.TempDir(), "torn")
		require.NoError(t, os.WriteFile(torn, whole[:size], 0o600))
		_, err := bolt.Open(torn, 0o600, nil)
		t.Log(size, err)
		assert.Error(t, err)
	}
}
