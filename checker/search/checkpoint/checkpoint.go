// Package checkpoint writes and reads the file from which a search can continue after its process was killed.
//
// The file named checkpoint has everything but the states. They are in files that it names. These files and the
// directory are synced before checkpoint is replaced. The replacement is atomic, so there is always a whole
// checkpoint. Only then the files of the older one are removed. A [Header] identifies the search, so that no other
// search continues from it.
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

// A Field is one of the properties that identify a check.
type Field struct{ Name, Value string }

// A Header identifies the search of a checkpoint, and has its progress.
type Header struct {
	Check   []Field       // identifies the check
	Program uint64        // a hash of the executable
	States  int64         // so far
	Layer   int           // the last complete layer
	Spent   time.Duration // by all processes of the search
	Files   []string      // needed by the checkpoint
	Next    int           // the number of the next file
}

// String returns the value of the first field, and the progress.
func (h *Header) String() string {
	return fmt.Sprintf("%s, after layer %d with %d states", h.Check[0].Value, h.Layer, h.States)
}

// Refused is the error of a checkpoint from which a search cannot continue.
type Refused struct{ Text string }

// Error returns the text.
func (r Refused) Error() string { return r.Text }

func refused(format string, args ...any) error { return Refused{fmt.Sprintf(format, args...)} }

// Name is the name of the file in its directory.
const Name = "checkpoint"

const kind = "checkpoint"

// Write replaces the checkpoint, and removes the files that only the old one needed. The files that h names are
// synced.
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
	if err := d.Sync(); err != nil { // the names of the files
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

// Read reads the header of a checkpoint, and the state of its search. The directory is locked.
func Read(d *storage.Directory, state any) (*Header, error) { return read(d.FS, d.Path(), state) }

// Look reads the header of the checkpoint in a directory; nil if there is none.
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

// whole returns the content of a file. Its length comes first.
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

// Differs returns a text on the fields in which a check differs from the check of the checkpoint; "" if it is the
// same.
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
