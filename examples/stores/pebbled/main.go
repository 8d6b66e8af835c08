// Pebbled is a server with a pebble store. The memory table and the files are so small that short runs write tables and compact them.
package main

import (
	"context"
	"errors"

	"github.com/cockroachdb/pebble/v2"

	"contend/examples/stores/serve"
)

func main() { serve.Main(open) }

type store struct{ db *pebble.DB }

func open(dir string) (serve.Store, error) {
	how := &pebble.Options{CacheSize: 1 << 10, MemTableSize: 2 << 10, L0CompactionThreshold: 1, L0CompactionFileThreshold: 1, LBaseMaxBytes: 256,
		MaxManifestFileSize: 256, FormatMajorVersion: pebble.FormatNewest, Logger: quiet{}}
	db, err := pebble.Open(dir, how)
	if err != nil {
		return nil, err
	}
	return store{db}, nil
}

// quiet is a logger that prints fatal errors only.
type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(format string, args ...any) {
	pebble.DefaultLogger.Fatalf(format, args...)
}

func (s store) Get(key string) (string, error) {
	value, done, err := s.db.Get([]byte(key))
	if errors.Is(err, pebble.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer done.Close()
	return string(value), nil
}

func (s store) Put(key, value string) error {
	return s.db.Set([]byte(key), []byte(value), pebble.Sync)
}

func (s store) Delete(key string) error { return s.db.Delete([]byte(key), pebble.Sync) }

func (s store) Compact() error {
	return s.db.Compact(context.Background(), []byte("a"), []byte("z"), false)
}
