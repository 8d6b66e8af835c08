package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

const library = "go.etcd.io/raft/v3"

// A Workshop is where commands with bugs in them are built: a directory with a copy of the library, since the go command lets no overlay
// replace a file of the module cache, and with a go.mod that names this copy.
type Workshop struct {
	Library string // the copy
	module  string // of the command
	dir     string
}

// Open makes a workshop in a directory, for the command whose module is in another.
func Open(module, dir string) (*Workshop, error) {
	module, err := filepath.Abs(module)
	if err != nil {
		return nil, err
	}
	w := &Workshop{Library: filepath.Join(dir, "library"), module: module, dir: dir}
	var original struct{ Dir string }
	out, err := w.run("list", "-m", "-json", library)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(out, &original); err != nil {
		return nil, err
	}
	if err := copyModule(original.Dir, w.Library); err != nil {
		return nil, err
	}
	return w, w.writeModule()
}

// writeModule writes the go.mod, and its go.sum, with which the command is built.
func (w *Workshop) writeModule() error {
	for from, to := range map[string]string{"go.mod": w.modfile(), "go.sum": filepath.Join(w.dir, "go.sum")} {
		content, err := os.ReadFile(filepath.Join(w.module, from))
		if err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o644); err != nil {
			return err
		}
	}
	_, err := w.run("mod", "edit", "-replace="+library+"="+w.Library, w.modfile())
	return err
}

func (w *Workshop) modfile() string { return filepath.Join(w.dir, "go.mod") }

// Build builds the command with a bug in the library, and returns its path.
func (w *Workshop) Build(b Bug) (string, error) {
	overlay, err := b.overlay(w.Library, filepath.Join(w.dir, b.Name))
	if err != nil {
		return "", err
	}
	command := filepath.Join(w.dir, b.Name, "etcdraft")
	_, err = w.run("build", "-trimpath", "-modfile="+w.modfile(), "-overlay="+overlay, "-o", command, ".")
	if err != nil {
		return "", fmt.Errorf("bug %s: %w", b.Name, err)
	}
	return command, nil
}

// run runs the go command in the module.
func (w *Workshop) run(args ...string) ([]byte, error) {
	command := exec.Command("go", args...)
	command.Dir = w.module
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %s", args[0], err, bytes.TrimSpace(stderr.Bytes()))
	}
	return out, nil
}

// copyModule copies a module out of the module cache, which is read-only.
func copyModule(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.Walk(to, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(path, info.Mode()|0o200)
	})
}
