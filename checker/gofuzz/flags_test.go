package gofuzz

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

// The fuzzer tries once to make an input smaller, but as often as the user says who says so.
func TestFuzzerMinimizesLittle(t *testing.T) {
	is := flag.Lookup(minimizeFlag)
	before := is.Value.String()
	t.Cleanup(func() {
		if err := is.Value.Set(before); err != nil {
			t.Error(err)
		}
	})
	if err := MinimizeLittle(); err != nil || is.Value.String() != "1x" {
		t.Errorf("it is %s, %v", is.Value, err)
	}
	if err := flag.Set(minimizeFlag, "30s"); err != nil {
		t.Fatal(err)
	}
	if err := MinimizeLittle(); err != nil || is.Value.String() != "30s" {
		t.Errorf("the user says 30s, but it is %s, %v", is.Value, err)
	}
}

// The value of an input is read from its file, and nothing from what is none.
func TestInputIsRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "input")
	for text, want := range map[string]string{
		"go test fuzz v1\n[]byte(\"a\\x00\\\")\\xff\")\n": "a\x00\")\xff",
		"go test fuzz v1\n[]byte(\"\")\n":                 "",
		"go test fuzz v1\nint(3)\n":                       "none",
		"":                                                "none",
	} {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		data, ok := readInput(file)
		if ok != (want != "none") || ok && string(data) != want {
			t.Errorf("%q is read as %q, %v", text, data, ok)
		}
	}
}
