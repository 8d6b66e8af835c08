package value_test

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzFromJSON checks that foreign bytes cause no panic, and that an accepted value survives writing and
// reading.
func FuzzFromJSON(f *testing.F) {
	c := codec(f)
	for _, class := range alike {
		text, err := c.JSON(class.values[0])
		if err != nil {
			f.Fatal(err)
		}
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := c.FromJSON(b)
		if err != nil {
			return
		}
		text, err := c.JSON(v)
		if err != nil {
			t.Fatalf("accepted, but cannot be written: %v", err)
		}
		again, err := c.FromJSON(json.RawMessage(text))
		if err != nil {
			t.Fatalf("wrote %s, but does not read it: %v", text, err)
		}
		if !bytes.Equal(c.Any(v, nil), c.Any(again, nil)) {
			t.Fatalf("%#v became %#v", v, again)
		}
		if !bytes.Equal(c.Any(v, nil), c.Any(c.DecodeAny(c.Any(v, nil)), nil)) {
			t.Fatalf("the bytes of %#v do not decode to it", v)
		}
	})
}
