package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

// rename changes the path of the module in a directory, the top of a git repository. It returns the number of
// changed files.
func rename(dir, path string) (changed int, err error) {
	if err := module.CheckPath(path); err != nil {
		return 0, fmt.Errorf("the path cannot be that of a module: %w", err)
	}
	mod, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return 0, err
	}
	old := modfile.ModulePath(mod)
	if old == path {
		return 0, nil
	}
	files, err := tracked(dir)
	if err != nil {
		return 0, err
	}
	text := newText(old, path, directories(files))
	for _, name := range files {
		is, err := rewrite(filepath.Join(dir, name), text)
		if err != nil {
			return changed, err
		}
		if is {
			changed++
		}
	}
	return changed, nil
}

// tracked returns the files that git tracks. The error is about an uncommitted file: its changes would be
// mixed with the renaming.
func tracked(dir string) ([]string, error) {
	dirty, err := git(dir, "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if line, _, _ := strings.Cut(dirty, "\n"); line != "" {
		return nil, fmt.Errorf("the working tree has uncommitted changes, such as %s: commit or stash them first", strings.TrimSpace(line[2:]))
	}
	all, err := git(dir, "ls-files", "-z")
	return strings.Split(strings.Trim(all, "\x00"), "\x00"), err
}

func git(dir string, args ...string) (string, error) {
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return "", fmt.Errorf("git %s: %s", args[0], bytes.TrimSpace(failed.Stderr))
	}
	return string(out), err
}

// directories returns the directories at the top of the repository.
func directories(files []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, name := range files {
		if top, _, deep := strings.Cut(name, "/"); deep && !seen[top] {
			seen[top] = true
			all = append(all, top)
		}
	}
	return all
}

// rewrite changes the path in one file and sorts its imports. It reports whether the file has changed.
func rewrite(name string, t *text) (bool, error) {
	info, err := os.Lstat(name)
	if err != nil || info.Mode()&fs.ModeType != 0 {
		return false, err
	}
	is, err := os.ReadFile(name)
	if err != nil || bytes.IndexByte(is, 0) >= 0 { // not text
		return false, err
	}
	becomes := t.rename(is)
	if bytes.Equal(is, becomes) {
		return false, nil
	}
	if filepath.Ext(name) == ".go" {
		if becomes, err = format.Source(becomes); err != nil {
			return false, fmt.Errorf("%s: %w", name, err)
		}
	}
	return true, os.WriteFile(name, becomes, info.Mode().Perm())
}
