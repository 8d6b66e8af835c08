// Package checkpoint writes and reads what a search needs to go on after it was killed.
//
// The file named checkpoint tells all but the states: those are in the files that it names,
// which are synced, with the directory, before it is put in its place. It is replaced in one
// step, so that there is always a whole one, and files that an older one named are removed
// only after that. A [Header] says what the search is of, so that no other goes on from it.
package checkpoint

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"contend/checker/search/storage"
)

// A Field is one of the things that a check is known by.
type Field struct{ Name, Value string }

// A Header says what a checkpoint is of, and how far its search had come.
type Header struct {
	Check   []Field       // what tells the check from others
	Program uint64        // a hash of the executable
	States  int64         // so far
	Layer   int           // that is done
	Spent   time.Duration // on it, by all runs of the search
	Files   []string      // that it needs
	Next    int           // the number of the next file
}

// String says what the checkpoint is of, by the first of the fields, and how far it is.
func (h *Header) String() string {
	return fmt.Sprintf("%s, after layer %d with %d states", h.Check[0].Value, h.Layer, h.States)
}

// Refused says why a search does not go on from a checkpoint, or does not begin one.
type Refused struct{ Text string }

// Error is the reason.
func (r Refused) Error() string { return r.Text }

func refused(format string, args ...any) error { return Refused{fmt.Sprintf(format, args...)} }

// Name is that of the file in its directory.
const Name = "checkpoint"

const kind = "checkpoint"

// Write puts a checkpoint in the place of the one before, and removes what only that needed.
// The files that it names are synced.
func Write(d *storage.Directory, h *Header, state any) error {
	var body bytes.Buffer
	body.Write(make([]byte, 8))
	out := gob.NewEncoder(&body)
	if err := errors.Join(out.Encode(h), out.Encode(state)); err != nil {
		return err
	}
	binary.LittleEndian.PutUint64(body.Bytes(), uint64(body.Len()))
	file, err := d.Create(kind, true)
	if err != nil {
		return err
	}
	_, err = file.Append(body.Bytes())
	if err == nil {
		err = file.Sync()
	}
	if err := errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := d.Sync(); err != nil { // the names of the files that it names
		return err
	}
	if err := d.Replace(file, Name); err != nil {
		return err
	}
	if err := d.Sync(); err != nil {
		return err
	}
	d.Clear(append(h.Files, Name)...)
	return nil
}

// Read reads the checkpoint of a directory that is locked, and the state of its search.
func Read(d *storage.Directory, state any) (*Header, error) { return read(d.FS, d.Path(), state) }

// Look reads what the checkpoint of a directory says of itself; nil when there is none.
func Look(fsys storage.FS, dir string) (*Header, error) {
	h, err := read(fsys, dir, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return h, err
}

func read(fsys storage.FS, dir string, state any) (*Header, error) {
	path := filepath.Join(dir, Name)
	file, err := storage.Open(fsys, dir, kind, storage.Ref{Name: Name})
	if err != nil {
		return nil, err
	}
	body, err := whole(file)
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, err
	}
	in := gob.NewDecoder(bytes.NewReader(body))
	h := &Header{}
	if err := in.Decode(h); err != nil {
		return nil, refused("%s: %v", path, err)
	}
	if state != nil {
		err = in.Decode(state)
	}
	if err != nil {
		return nil, refused("%s: %v", path, err)
	}
	return h, nil
}

// whole reads what was written, whose length comes first.
func whole(file *storage.Blocks) ([]byte, error) {
	var buffer []byte
	length := make([]byte, 8)
	if err := file.Read(0, length, &buffer); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint64(length))
	if blocks := (n + storage.BlockHolds - 1) / storage.BlockHolds; n < 8 || blocks != file.Len() {
		return nil, refused("%s is not as long as it was written", file.Path())
	}
	body := make([]byte, n)
	if err := file.Read(0, body, &buffer); err != nil {
		return nil, err
	}
	return body[8:], nil
}

// Differs says in what a checkpoint is of another check; "" if it is of this one.
func (h *Header) Differs(check []Field) string {
	is := map[string]string{}
	for _, f := range check {
		is[f.Name] = f.Value
	}
	var differ []string
	for _, f := range h.Check {
		if is[f.Name] != f.Value {
			differ = append(differ, fmt.Sprintf("its %s is %s, not %s", f.Name, shown(f.Value), shown(is[f.Name])))
		}
		delete(is, f.Name)
	}
	for _, f := range check {
		if v, left := is[f.Name]; left {
			differ = append(differ, fmt.Sprintf("its %s is not said, but %s here", f.Name, shown(v)))
		}
	}
	return strings.Join(differ, "; ")
}

func shown(value string) string {
	if value == "" {
		return "none"
	}
	return value
}
