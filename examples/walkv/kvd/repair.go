package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
)

// repair takes away a last entry that was not written whole, which the log refuses to open. Nobody was told that it is there.
func (s *store) repair(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, strings.Repeat("[0-9]", 20))) // and not those that were to become one of these
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

// whole is how many bytes whole entries take up: each is a length and so many bytes.
func whole(b []byte) (n int) {
	for {
		length, m := binary.Uvarint(b[n:])
		if m <= 0 || uint64(len(b)-n-m) < length {
			return n
		}
		n += m + int(length)
	}
}
