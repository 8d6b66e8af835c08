package outside

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/nutsdb/nutsdb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const bucket = "b"

// opened opens a store with small files. Each commit is synced if the caller does not say otherwise.
func opened(dir string, sync bool) (*nutsdb.DB, error) {
	options := nutsdb.DefaultOptions
	options.Dir, options.SegmentSize, options.SyncEnable = dir, 1024, sync
	return nutsdb.Open(options)
}

// made makes a store with an empty bucket.
func made(t *testing.T, dir string, sync bool) *nutsdb.DB {
	db, err := opened(dir, sync)
	require.NoError(t, err)
	require.NoError(t, newBucket(db))
	return db
}

func newBucket(db *nutsdb.DB) error {
	return db.Update(func(tx *nutsdb.Tx) error { return tx.NewBucket(nutsdb.DataStructureBTree, bucket) })
}

func put(t *testing.T, db *nutsdb.DB, key, value string) {
	require.NoError(t, db.Update(func(tx *nutsdb.Tx) error { return tx.Put(bucket, []byte(key), []byte(value), nutsdb.Persistent) }))
}

func get(db *nutsdb.DB, key string) (value string, err error) {
	err = db.View(func(tx *nutsdb.Tx) error {
		b, err := tx.Get(bucket, []byte(key))
		value = string(b)
		return err
	})
	return value, err
}

// After two changes of a key within a millisecond, a merge brings the first value back. Of many keys, some are changed so fast.
func TestNutsdbMergeBringsOldValuesBack(t *testing.T) {
	const keys = 1000
	db := made(t, t.TempDir(), false)
	for i := range keys {
		put(t, db, strconv.Itoa(i), "old")
		put(t, db, strconv.Itoa(i), "new")
	}
	require.NoError(t, db.Merge())
	back := 0
	for i := range keys {
		value, err := get(db, strconv.Itoa(i))
		require.NoError(t, err)
		if value == "old" {
			back++
		}
	}
	t.Logf("%d of %d keys have their old value", back, keys)
	assert.Positive(t, back)
}

// The file of buckets is not synced with a commit. A crash may leave it empty: then synced values are lost, also after the
// bucket is made again.
func TestNutsdbLosesTheBucket(t *testing.T) {
	dir := t.TempDir()
	db := made(t, dir, true)
	put(t, db, "x", "1")
	require.NoError(t, db.Close())
	require.NoError(t, os.Truncate(filepath.Join(dir, "bucket.Meta"), 0))
	db, err := opened(dir, true)
	require.NoError(t, err)
	_, err = get(db, "x")
	require.Error(t, err)
	require.NoError(t, newBucket(db))
	_, err = get(db, "x")
	assert.ErrorIs(t, err, nutsdb.ErrKeyNotFound)
}

// A crash may leave the last write in part. Then the store does not open, although the write was not acknowledged.
func TestNutsdbTornEntry(t *testing.T) {
	dir := t.TempDir()
	db := made(t, dir, true)
	put(t, db, "x", "1")
	put(t, db, "y", "123456789")
	require.NoError(t, db.Close())
	file := filepath.Join(dir, "0.dat")
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	end := len(b) - 1
	for b[end] == 0 { // the rest of the file is zero
		end--
	}
	clear(b[end-3:])
	require.NoError(t, os.WriteFile(file, b, 0o644))
	_, err = opened(dir, true)
	assert.ErrorContains(t, err, "crc")
}

// After a start, an empty bucket is not found.
func TestNutsdbEmptyBucket(t *testing.T) {
	dir := t.TempDir()
	db := made(t, dir, true)
	_, err := get(db, "x")
	assert.ErrorIs(t, err, nutsdb.ErrKeyNotFound)
	require.NoError(t, db.Close())
	db, err = opened(dir, true)
	require.NoError(t, err)
	_, err = get(db, "x")
	assert.ErrorIs(t, err, nutsdb.ErrNotFoundBucket)
}
