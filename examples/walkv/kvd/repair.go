package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// repair removes a torn last entry, since the log refuses to open a file with a torn entry. Nobody has
// received a response for this entry.
func (s *store) repair(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, strings.Repeat("[0-9]", 20))) // segments only: a file that is about to become a segment has another name
	if err != nil || len(files) == 0 {
		return err
	}
	name := files[len(files)-1]
	if s.mistake == "delete-segment" {
		return os.Remove(name)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Truncate(int64(whole(b))); err != nil {
		return err
	}
	return f.Sync()
}

// whole returns the length of the complete entries in bytes. An entry is a length and that number of bytes.
func whole(b []byte) (n int) {
	for {
		length, m := binary.Uvarint(b[n:])
		if m <= 0 || uint64(len(b)-n-m) < length {
			return n
		}
		n += m + int(length)
	}
}
