package search

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/checkpoint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// interrupted returns the files of a search that lost power late, and what it would have found.
func interrupted(t *testing.T) (files map[string][]byte, want string) {
	var disk faulty.FS
	r, err := stored(t, &disk, 1, false)
	if err != nil {
		t.Fatal(err)
	}
	disk = faulty.FS{At: disk.Calls() * 3 / 4, Fault: faulty.PowerLost}
	if _, err := stored(t, &disk, 1, false); err == nil {
		t.Fatal("the power is out, and it goes on")
	}
	disk.Restart(false)
	return disk.Files(), found(r)
}

// resumedFrom goes on from files: to what is wanted, or to an error that names the file.
func resumedFrom(t *testing.T, files map[string][]byte, want, damaged, how string) (refused bool) {
	t.Helper()
	var disk faulty.FS
	disk.SetFiles(files)
	r, err := stored(t, &disk, 1, true)
	switch {
	case err != nil && !strings.Contains(err.Error(), damaged):
		t.Errorf("%s %s: the error does not name it: %v", damaged, how, err)
	case err == nil && found(r) != want:
		t.Errorf("%s %s: found %s, want %s", damaged, how, found(r), want)
	}
	if bad := (BadCheckpoint{}); err != nil && !errors.As(err, &bad) {
		t.Errorf("%s %s: it is seen only while it is searched: %v", damaged, how, err)
	}
	return err != nil
}

// Every block of every file of a checkpoint is damaged in turn, in several ways; each file is cut
// short, removed, and put in the place of each other. The search that goes on finds the same as
// before, or refuses, naming the file. All that a search needs is among it, so it refuses.
func TestEveryFileDamaged(t *testing.T) {
	files, want := interrupted(t)
	if resumedFrom(t, files, want, "", "untouched") {
		t.Fatal("what is not damaged is refused")
	}
	tried := 0
	try := func(path, how string, text []byte) {
		tried++
		some := maps.Clone(files)
		if some[path] = text; text == nil {
			delete(some, path)
		}
		if !resumedFrom(t, some, want, path, how) && !bytes.Equal(text, files[path]) && needed(t, files, path) {
			t.Errorf("%s %s is taken for what was written", path, how)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		for at := 0; at < len(files[path]); at += storage.BlockSize {
			if !*full && at/storage.BlockSize > 2 && at/storage.BlockSize%25 != 0 {
				continue
			}
			damageBlock(files[path], at, func(how string, text []byte) { try(path, how, text) })
		}
		try(path, "removed", nil)
		try(path, "emptied", []byte{})
		for _, other := range slices.Sorted(maps.Keys(files)) {
			try(path, "replaced by "+other, files[other])
		}
	}
	t.Logf("%d files damaged in %d ways", len(files), tried)
	if len(files) < 4 || tried < 40 {
		t.Error("too few")
	}
}

// damageBlock damages the block at a place in several ways.
func damageBlock(text []byte, at int, try func(how string, damaged []byte)) {
	end := min(at+storage.BlockSize, len(text))
	change := func(how string, do func(b []byte)) {
		b := bytes.Clone(text)
		do(b)
		try(fmt.Sprintf("%s at %d", how, at), b)
	}
	for _, k := range []int{0, 9, 13, 16, 100, storage.BlockSize / 2} {
		change(fmt.Sprintf("with bit %d flipped", k), func(b []byte) { b[at+k] ^= 1 << (k % 8) })
	}
	change("zeroed", func(b []byte) { clear(b[at:end]) })
	if at > 0 {
		change("swapped with the one before", func(b []byte) {
			copy(b[at-storage.BlockSize:], text[at:end])
			copy(b[at:], text[at-storage.BlockSize:at])
		})
		change("repeated", func(b []byte) { copy(b[at:end], text[at-storage.BlockSize:at]) })
	}
	try(fmt.Sprintf("cut at %d", at), bytes.Clone(text[:at]))
	try(fmt.Sprintf("cut behind %d", at), bytes.Clone(text[:at+100]))
	try(fmt.Sprintf("cut out at %d", at), append(bytes.Clone(text[:at]), text[end:]...))
	try(fmt.Sprintf("longer by %d", at), append(bytes.Clone(text), text[at:end]...))
}

// needed reports whether the checkpoint needs a file, and whether all of it is filled.
func needed(t *testing.T, files map[string][]byte, path string) bool {
	var disk faulty.FS
	disk.SetFiles(files)
	h, err := checkpoint.Look(&disk, kept)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(path)
	return name == checkpoint.Name || slices.Contains(h.Files, name)
}
