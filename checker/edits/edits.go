package edits

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// File is the name of the generated file.
const File = "edited_gen.go"

// Write writes the generated file of the package in a directory. It writes nothing if the package has no edits.
// The error lists all edits that do not fit.
func Write(dir string) error {
	text, err := generate(dir)
	if err != nil || text == nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, File), text, 0o644)
}

// Check returns an error if an edit of the package in a directory does not fit, or if the generated file
// differs from the text that [Write] would write. It runs no command.
func Check(dir string) error {
	text, err := generate(dir)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, File)
	is, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(is, text) {
		return fmt.Errorf("%s: the page and its edits have changed since it was generated; run go generate", file)
	}
	return nil
}

// generate returns the text of the generated file, or nil if the package has no edits.
func generate(dir string) ([]byte, error) {
	p, err := read(dir)
	if err != nil || len(p.edits) == 0 {
		return nil, err
	}
	var wrong []error
	for i := range p.edits {
		wrong = append(wrong, p.fit(&p.edits[i])...)
	}
	wrong = append(wrong, p.reach()...)
	if len(wrong) > 0 {
		return nil, errors.Join(wrong...)
	}
	return p.write()
}
