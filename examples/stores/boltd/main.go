// Boltd is a server with a bbolt store. A compaction rewrites the file, as etcd does to defragment it.
package main

import (
	"errors"
	"flag"
	"os"
	"path/filepath"
	"sync"

	bolt "go.etcd.io/bbolt"

	"contend/examples/stores/serve"
)

var careful = flag.Bool("careful", false, "make the file under another name, and rename it")

func main() {
	flag.Parse()
	serve.Main(open)
}

// A store is an open file.
type store struct {
	dir string
	mu  sync.RWMutex
	db  *bolt.DB
}

var bucket = []byte("b")

func open(dir string) (serve.Store, error) {
	s := &store{dir: dir}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.name()); *careful && errors.Is(err, os.ErrNotExist) {
		if err := s.rewrite(func(*bolt.DB) error { return nil }); err != nil {
			return nil, err
		}
	}
	return s, s.open()
}

func (s *store) open() (err error) {
	s.db, err = bolt.Open(s.name(), 0o600, small)
	return err
}

func (s *store) name() string { return filepath.Join(s.dir, "db") }

var small = &bolt.Options{PageSize: 1024}

func (s *store) Get(key string) (value string, err error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return value, s.db.View(func(tx *bolt.Tx) error {
		if b := tx.Bucket(bucket); b != nil {
			value = string(b.Get([]byte(key)))
		}
		return nil
	})
}

func (s *store) Put(key, value string) error {
	return s.update(func(b *bolt.Bucket) error { return b.Put([]byte(key), []byte(value)) })
}

func (s *store) Delete(key string) error {
	return s.update(func(b *bolt.Bucket) error { return b.Delete([]byte(key)) })
}

func (s *store) update(do func(*bolt.Bucket) error) error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.db.Update(func(tx *bolt.Tx) error {
		b, err := tx.CreateBucketIfNotExists(bucket)
		if err != nil {
			return err
		}
		return do(b)
	})
}

// Compact copies the contents to a new file, and renames it to replace the old file.
func (s *store) Compact() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.rewrite(func(to *bolt.DB) error { return errors.Join(bolt.Compact(to, s.db, 0), s.db.Close()) }); err != nil {
		return err
	}
	return s.open()
}

// rewrite makes a file under another name, fills it, and renames it.
func (s *store) rewrite(fill func(*bolt.DB) error) error {
	name := s.name() + ".new"
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) { // a crash has left it
		return err
	}
	to, err := bolt.Open(name, 0o600, small)
	if err != nil {
		return err
	}
	if err := errors.Join(fill(to), to.Close()); err != nil {
		return err
	}
	return os.Rename(name, s.name())
}
