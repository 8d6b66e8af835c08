// Nutsd is a server with a nutsdb store. The data files are so small that short runs have several, which a merge needs.
package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"time"

	"github.com/nutsdb/nutsdb"

	"contend/examples/stores/serve"
)

var careful = flag.Bool("careful", false, "sync the file of buckets, and make no two changes in a millisecond")

func main() {
	flag.Parse()
	serve.Main(open)
}

const bucket = "b"

type store struct{ db *nutsdb.DB }

func open(dir string) (serve.Store, error) {
	options := nutsdb.DefaultOptions // each commit is synced
	options.Dir, options.SegmentSize, options.CommitBufferSize, options.MergeInterval = dir, 128, 1024, 0
	db, err := nutsdb.Open(options)
	if err != nil {
		return nil, err
	}
	s := store{db}
	err = s.update(func(tx *nutsdb.Tx) error {
		if tx.ExistBucket(nutsdb.DataStructureBTree, bucket) {
			return nil
		}
		return tx.NewBucket(nutsdb.DataStructureBTree, bucket)
	})
	if err == nil && *careful {
		err = syncFile(filepath.Join(dir, "bucket.Meta"))
	}
	return s, err
}

func syncFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}

// update makes a change. In careful runs no other change has the same number: a number is made of the clock's milliseconds.
func (s store) update(change func(tx *nutsdb.Tx) error) error {
	if *careful {
		time.Sleep(2 * time.Millisecond)
	}
	return s.db.Update(change)
}

// isNone reports whether a key has no value. After a start, an empty bucket is not found.
func isNone(err error) bool {
	return errors.Is(err, nutsdb.ErrKeyNotFound) || errors.Is(err, nutsdb.ErrBucketNotFound) || errors.Is(err, nutsdb.ErrNotFoundBucket)
}

func (s store) Get(key string) (value string, err error) {
	err = s.db.View(func(tx *nutsdb.Tx) error {
		b, err := tx.Get(bucket, []byte(key))
		value = string(b)
		return err
	})
	if isNone(err) {
		return "", nil
	}
	return value, err
}

func (s store) Put(key, value string) error {
	return s.update(func(tx *nutsdb.Tx) error { return tx.Put(bucket, []byte(key), []byte(value), nutsdb.Persistent) })
}

// Delete removes a key. It is no error if the key has no value.
func (s store) Delete(key string) error {
	err := s.update(func(tx *nutsdb.Tx) error { return tx.Delete(bucket, []byte(key)) })
	if isNone(err) {
		return nil
	}
	return err
}

// Compact merges the data files. It is no error if there is only one.
func (s store) Compact() error {
	err := s.db.Merge()
	if errors.Is(err, nutsdb.ErrDontNeedMerge) || errors.Is(err, nutsdb.ErrIsMerging) {
		return nil
	}
	return err
}
