package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// An Edit exchanges a piece of text in a file of the library.
type Edit struct {
	File string // its path within the library's module, with slashes
	Old  string // occurs in the file exactly once
	New  string
}

// apply makes the edit in a source text.
func (e Edit) apply(source string) (string, error) {
	if n := strings.Count(source, e.Old); n != 1 {
		return "", fmt.Errorf("%s: the text to be replaced must occur once and occurs %d times: %q", e.File, n, e.Old)
	}
	return strings.Replace(source, e.Old, e.New, 1), nil
}

// overlay writes what `go build -overlay` wants in order to compile the bug into the library whose module is in the directory library:
// the edited files, and beside them the JSON file that says which files they stand for, whose path is returned. All of it goes into the
// directory dir, which it makes; the library is left as it is.
func (b Bug) overlay(library, dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for i, e := range b.Edits {
		original := filepath.Join(library, filepath.FromSlash(e.File))
		current := original
		if edited, ok := replace[original]; ok {
			current = edited
		}
		source, err := os.ReadFile(current)
		if err != nil {
			return "", fmt.Errorf("bug %s: %w", b.Name, err)
		}
		text, err := e.apply(string(source))
		if err != nil {
			return "", fmt.Errorf("bug %s: %w", b.Name, err)
		}
		replace[original] = filepath.Join(dir, fmt.Sprintf("%d-%s", i, filepath.Base(e.File)))
		if err := os.WriteFile(replace[original], []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	content, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "overlay.json")
	return path, os.WriteFile(path, content, 0o644)
}
