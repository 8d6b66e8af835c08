package storage_test

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// Files are numbered as they are made, and go on with the number that a checkpoint tells.
func TestFilesAreNumbered(t *testing.T) {
	var disk faulty.FS
	d, err := storage.Keep(&disk, dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, kind := range []string{"states", "layer", "states", "checkpoint"} {
		if i == 2 {
			d.SetNext(d.Next() + 5)
		}
		b, err := d.Create(kind, true)
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
	}
	names, err := d.Files()
	slices.Sort(names)
	if want := []string{"checkpoint-9", "layer-2", "states-1", "states-8"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("%v, %v; want %v", names, err, want)
	}
	d.Clear("layer-2")
	if names, _ := d.Files(); !slices.Equal(names, []string{"layer-2"}) {
		t.Errorf("%v are left, but only layer-2 is to be kept", names)
	}
	d.Forget()
	if left := disk.Files(); len(left) > 0 {
		t.Errorf("%v are left of a search that came to its end", slices.Collect(maps.Keys(left)))
	}
}

// A directory that a search uses no other search may use, until the first is done; and none
// uses a directory that holds anything else.
func TestDirectoryHasOneUser(t *testing.T) {
	for name, fs := range map[string]storage.FS{"system": storage.OS{}, "memory": &faulty.FS{}} {
		path := filepath.Join(t.TempDir(), "kept")
		first, err := storage.Keep(fs, path)
		if err != nil {
			t.Fatal(name, err)
		}
		if _, err := storage.Keep(fs, path); !errors.Is(err, storage.ErrLocked) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: a second search opens the directory: %v", name, err)
		}
		first.Close()
		second, err := storage.Keep(fs, path)
		if err != nil {
			t.Fatalf("%s: the lock outlives its search: %v", name, err)
		}
		if f, err := fs.Create(filepath.Join(path, "letters")); err != nil || f.Close() != nil {
			t.Fatal(name, err)
		}
		if _, err := second.Files(); err == nil || !strings.Contains(err.Error(), "letters") {
			t.Errorf("%s: a directory that holds letters is used: %v", name, err)
		}
		second.Close()
	}
}

// What is not kept has no name: nothing is left of it, even if the process is killed.
func TestTemporaryFilesHaveNoName(t *testing.T) {
	var disk faulty.FS
	d := storage.Temporary(&disk)
	b, err := d.Create("layer", true)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Append([]byte("here")); err != nil {
		t.Fatal(err)
	}
	if left := disk.Files(); len(left) > 0 {
		t.Errorf("%d files have names", len(left))
	}
	p := make([]byte, 4)
	if err := b.Read(0, p, new([]byte)); err != nil || string(p) != "here" {
		t.Errorf("%q, %v", p, err)
	}
	_ = b.Close()
	d.Close()
}
