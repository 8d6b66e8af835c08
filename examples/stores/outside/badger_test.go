package outside

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/dgraph-io/badger/v4"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A process that is killed after it created a file, and before it set the size of the file, leaves an empty file. Then the store does not open, neither
// with an empty value log nor with an empty log of a memory table. It opens without the file.
func TestBadgerEmptyFile(t *testing.T) {
	for _, name := range []string{"000002.vlog", "00002.mem"} {
		dir := t.TempDir()
		options := badger.DefaultOptions(dir).WithSyncWrites(true).WithLogger(nil)
		db, err := badger.Open(options)
		require.NoError(t, err)
		require.NoError(t, db.Update(func(tx *badger.Txn) error { return tx.Set([]byte("x"), []byte("1")) }))
		require.NoError(t, db.Close())
		empty := filepath.Join(dir, name)
		require.NoFileExists(t, empty)
		require.NoError(t, os.WriteFile(empty, nil, 0o600))
		_, err = badger.Open(options)
		assert.ErrorContains(t, err, "Create a new file", name)
		require.NoError(t, os.Remove(empty))
		db, err = badger.Open(options)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
}
