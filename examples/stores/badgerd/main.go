// Badgerd is a server with a badger store. The memory table and the files are so small that short runs write tables and compact them.
package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"

	"github.com/dgraph-io/badger/v4"
	"github.com/dgraph-io/badger/v4/options"

	"contend/examples/stores/serve"
)

var careful = flag.Bool("careful", false, "remove empty files before the store opens")

func main() {
	flag.Parse()
	serve.Main(open)
}

type store struct{ db *badger.DB }

func open(dir string) (serve.Store, error) {
	how := badger.DefaultOptions(dir).WithSyncWrites(true).WithLogger(nil).WithMetricsEnabled(false).
		WithMemTableSize(1 << 14).WithValueThreshold(8).WithValueLogFileSize(1 << 20).WithBlockCacheSize(0).WithIndexCacheSize(0).
		WithNumMemtables(1).WithNumLevelZeroTables(1).WithNumLevelZeroTablesStall(2).WithBaseTableSize(1 << 12).WithBaseLevelSize(1 << 12).
		WithNumCompactors(2).WithCompression(options.None)
	if *careful {
		if err := removeEmpty(dir); err != nil {
			return nil, err
		}
	}
	db, err := badger.Open(how)
	if err != nil {
		return nil, err
	}
	return store{db}, nil
}

// removeEmpty removes the empty logs that a crash leaves, since the store does not open with such a file.
func removeEmpty(dir string) error {
	for _, kind := range []string{"*.mem", "*.vlog"} {
		names, _ := filepath.Glob(filepath.Join(dir, kind))
		for _, name := range names {
			if info, err := os.Stat(name); err != nil || info.Size() > 0 {
				continue
			}
			if err := os.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s store) Get(key string) (value string, err error) {
	err = s.db.View(func(tx *badger.Txn) error {
		item, err := tx.Get([]byte(key))
		if err != nil {
			return err
		}
		b, err := item.ValueCopy(nil)
		value = string(b)
		return err
	})
	if errors.Is(err, badger.ErrKeyNotFound) {
		return "", nil
	}
	return value, err
}

func (s store) Put(key, value string) error {
	return s.db.Update(func(tx *badger.Txn) error { return tx.Set([]byte(key), []byte(value)) })
}

func (s store) Delete(key string) error {
	return s.db.Update(func(tx *badger.Txn) error { return tx.Delete([]byte(key)) })
}

// Compact merges the levels, and rewrites a value log file with removed values. It is no error if there is none.
func (s store) Compact() error {
	if err := s.db.Flatten(1); err != nil {
		return err
	}
	err := s.db.RunValueLogGC(0.01)
	if errors.Is(err, badger.ErrNoRewrite) || errors.Is(err, badger.ErrRejected) {
		return nil
	}
	return err
}
