// Package outside confirms the findings of the search with the libraries alone, on the disk of this machine.
package outside

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/errors"
	"github.com/syndtr/goleveldb/leveldb/storage"
)

// killed is a storage that kills the process before it writes the file CURRENT.
type killed struct{ storage.Storage }

func (k killed) SetMeta(storage.FileDesc) error {
	p, _ := os.FindProcess(os.Getpid())
	_ = p.Kill()
	select {}
}

// A process that is killed while it makes a store leaves a store that does not open: after the manifest was written, and after the
// file CURRENT.0 was created. RecoverFile opens the store.
func TestGoleveldbKilledWhileItMakesAStore(t *testing.T) {
	if dir := os.Getenv("KILLED"); dir != "" {
		stor, err := storage.OpenFile(dir, false)
		require.NoError(t, err)
		_, err = leveldb.Open(killed{stor}, nil)
		t.Fatal("not killed: ", err)
	}
	for _, pending := range []bool{false, true} {
		dir := t.TempDir()
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), "KILLED="+dir)
		out, err := child.CombinedOutput()
		require.ErrorContains(t, err, "killed", "%s", out)
		if pending { // SetMeta creates this file first, and then writes it
			require.NoError(t, os.WriteFile(filepath.Join(dir, "CURRENT.0"), nil, 0o644))
		}
		_, err = leveldb.OpenFile(dir, nil)
		t.Log(err)
		assert.True(t, errors.IsCorrupted(err), "%v", err)
		db, err := leveldb.RecoverFile(dir, nil)
		require.NoError(t, err)
		require.NoError(t, db.Close())
	}
}
