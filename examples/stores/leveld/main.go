// Leveld is a server with a goleveldb store. The buffer and the tables are so small that short runs write tables and compact them.
package main

import (
	"errors"
	"flag"

	"github.com/syndtr/goleveldb/leveldb"
	lerrors "github.com/syndtr/goleveldb/leveldb/errors"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/util"

	"contend/examples/stores/serve"
)

var (
	recovers = flag.Bool("recovers", false, "recover a store that is corrupted, as go-ethereum does")
	deep     = flag.Bool("deep", false, "let a level have few bytes, so that tables move to the third level")
)

func main() {
	flag.Parse()
	serve.Main(open)
}

type store struct{ db *leveldb.DB }

var synced = &opt.WriteOptions{Sync: true}

func open(dir string) (serve.Store, error) {
	how := &opt.Options{WriteBuffer: 64, BlockSize: 64, CompactionTableSize: 128, CompactionTotalSize: 256,
		CompactionL0Trigger: 2, BlockCacheCapacity: opt.KiB, OpenFilesCacheCapacity: 4, DisableBufferPool: true}
	if *deep {
		how.CompactionTotalSize, how.CompactionTotalSizeMultiplier = 32, 3
	}
	db, err := leveldb.OpenFile(dir, how)
	if *recovers && lerrors.IsCorrupted(err) {
		db, err = leveldb.RecoverFile(dir, how)
	}
	if err != nil {
		return nil, err
	}
	return store{db}, nil
}

func (s store) Get(key string) (string, error) {
	value, err := s.db.Get([]byte(key), nil)
	if errors.Is(err, leveldb.ErrNotFound) {
		return "", nil
	}
	return string(value), err
}

func (s store) Put(key, value string) error { return s.db.Put([]byte(key), []byte(value), synced) }

func (s store) Delete(key string) error { return s.db.Delete([]byte(key), synced) }

func (s store) Compact() error { return s.db.CompactRange(util.Range{}) }
