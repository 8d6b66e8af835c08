package checkpoint_test

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"contend/checker/search/checkpoint"
	"contend/checker/search/storage"
	"contend/checker/search/storage/faulty"
)

// Whichever call fails while a checkpoint is written, and then the power: there is one, whole. It is
// the new one if Write says so, and else the old one or the new one.
func TestEachCallFails(t *testing.T) {
	for _, fault := range []faulty.Fault{faulty.Full, faulty.Short, faulty.Refused, faulty.PowerLost} {
		failed := 0
		for call := 1; ; call++ {
			var disk faulty.FS
			d := kept(t, &disk, 1)
			before := disk.Calls()
			disk.At, disk.Fault = before+call, fault
			written := checkpoint.Write(d, header(2, "states-1"), &state)
			if disk.Calls() < before+call {
				break
			}
			at := disk.Call(before + call)
			disk.Restart(false)
			h, err := checkpoint.Look(&disk, dir)
			switch {
			case err != nil || h == nil:
				t.Errorf("%v at %s: there is none: %v", fault, at, err)
			case written == nil && h.Layer != 2:
				t.Errorf("%v at %s: layer %d is kept, though 2 was said to be", fault, at, h.Layer)
			case read(&disk) != nil:
				t.Errorf("%v at %s: %v", fault, at, read(&disk))
			}
			if written != nil {
				failed++
			}
		}
		if failed < 4 {
			t.Errorf("%v: %d calls matter", fault, failed)
		}
	}
}

// What cannot be encoded is not written, and what was read is of the type that was written.
func TestEncodes(t *testing.T) {
	var disk faulty.FS
	d := kept(t, &disk, 1)
	if err := checkpoint.Write(d, header(2), make(chan int)); err == nil {
		t.Error("a channel is written")
	}
	if h, err := checkpoint.Read(d, &progress{}); err != nil || h.Layer != 1 {
		t.Errorf("%+v, %v", h, err)
	}
	var other struct{ Widths string }
	if _, err := checkpoint.Read(d, &other); !refuses(err) {
		t.Errorf("it is read as something else: %v", err)
	}
}

// A file of sound blocks may still be no checkpoint.
func TestNoCheckpoint(t *testing.T) {
	sized := func(size uint64, text string) []byte {
		return append(binary.LittleEndian.AppendUint64(nil, size), text...)
	}
	for name, body := range map[string][]byte{
		"no gob":               sized(8+6, "no gob"),
		"nothing":              sized(8, ""),
		"too short for itself": sized(7, ""),
		"longer than it says":  sized(20, strings.Repeat("x", storage.BlockHolds)),
		"shorter than it says": sized(3*storage.BlockHolds, "x"),
	} {
		var disk faulty.FS
		d, err := storage.Keep(&disk, dir)
		if err != nil {
			t.Fatal(err)
		}
		b, err := d.Create("checkpoint", true)
		if err != nil {
			t.Fatal(err)
		}
		_, err = b.Append(body)
		if err := errors.Join(err, b.Sync(), b.Close(), d.Replace(b, checkpoint.Name)); err != nil {
			t.Fatal(err)
		}
		h, err := checkpoint.Look(&disk, dir)
		if !refuses(err) || h != nil {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
	}
}

// refuses reports whether an error is a refusal that names the file.
func refuses(err error) bool {
	var r checkpoint.Refused
	return errors.As(err, &r) && strings.HasPrefix(r.Text, path)
}

// A checkpoint that ends with a block is as good as another.
func TestEveryLength(t *testing.T) {
	for extra := range storage.BlockHolds / 8 {
		var disk faulty.FS
		d, err := storage.Keep(&disk, dir)
		if err != nil {
			t.Fatal(err)
		}
		want := progress{Text: strings.Repeat("x", storage.BlockHolds*7/8+extra)}
		if err := checkpoint.Write(d, header(1), &want); err != nil {
			t.Fatal(err)
		}
		var got progress
		if _, err := checkpoint.Read(d, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d more: %v", extra, err)
		}
	}
}

// The names of the files that a checkpoint needs are safe before it is in its place, and its own
// is before the files of the one before are removed.
func TestTheOrderOfSafety(t *testing.T) {
	var disk faulty.FS
	d := kept(t, &disk, 1)
	before := disk.Calls()
	b, err := d.Create("states", true)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkpoint.Write(d, header(2, filepath.Base(b.Path())), &state); err != nil {
		t.Fatal(err)
	}
	var calls []string
	for n := before + 1; n <= disk.Calls(); n++ {
		if call := disk.Call(n); call == "sync "+dir || strings.HasPrefix(call, "rename ") || strings.HasPrefix(call, "remove ") {
			calls = append(calls, call)
		}
	}
	want := []string{"sync " + dir, "rename " + path, "sync " + dir, "remove " + dir + "/states-1"}
	if !slices.Equal(calls, want) {
		t.Errorf("%q, want %q", calls, want)
	}
}
