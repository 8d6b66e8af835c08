package main

import (
	"fmt"
	"os"
	"path/filepath"

	"contend/checker/plant"
)

const library = "go.etcd.io/raft/v3"

// A Workshop is a directory in which commands with bugs in the library are built.
type Workshop struct {
	*plant.Plot
	dir string
}

// Open makes a workshop in a directory, for the command whose module is in another.
func Open(module, dir string) (*Workshop, error) {
	p, err := plant.Open(module, library, filepath.Join(dir, "plot"))
	return &Workshop{p, dir}, err
}

// Build builds the command with a bug in the library and returns its path. The command stays there until the
// next build.
func (w *Workshop) Build(b Bug) (string, error) {
	command := filepath.Join(w.dir, b.Name, "etcdraft")
	if err := os.MkdirAll(filepath.Dir(command), 0o755); err != nil {
		return "", err
	}
	err := w.Plant(b.edits()...)
	if err == nil {
		err = w.Plot.Build(".", command)
	}
	if err != nil {
		return "", fmt.Errorf("bug %s: %w", b.Name, err)
	}
	return command, nil
}
