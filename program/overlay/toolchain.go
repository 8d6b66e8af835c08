package overlay

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A toolchain is an installed Go release.
type toolchain struct{ goroot, version, modcache string }

// inUse returns the toolchain that the go command selects in a directory, "" being the current one: by GOTOOLCHAIN, or by a go.mod there.
func inUse(at string) (t toolchain, err error) {
	c := exec.Command("go", "env", "GOROOT", "GOVERSION", "GOMODCACHE")
	c.Dir = at
	out, err := c.Output()
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if err != nil || len(lines) != 3 {
		return t, fmt.Errorf("go env GOROOT GOVERSION GOMODCACHE does not run: %v", err)
	}
	return toolchain{strings.TrimSpace(lines[0]), strings.TrimSpace(lines[1]), strings.TrimSpace(lines[2])}, nil
}

// outside returns a link to the toolchain's directory, if the toolchain lies in the module cache, as one does that the go command has
// downloaded. Otherwise it returns "". The link lies below dir.
//
// The go command refuses an overlay that names a file beneath GOMODCACHE. It compares paths as they are written, so a GOROOT that is a link from
// elsewhere is not refused. The go command of the toolchain must then run with this GOROOT: see [Go]. Nothing is copied, and the module
// cache is not changed.
func (t toolchain) outside(dir string) (string, error) {
	if !beneath(t.goroot, t.modcache) {
		return "", nil
	}
	link := filepath.Join(dir, "goroot-"+t.version+"-"+nameOf(t.goroot))
	if to, err := os.Readlink(link); err == nil && to == t.goroot {
		return link, nil
	}
	if err := relink(t.goroot, link); err != nil {
		return "", fmt.Errorf("%s lies in the module cache, where the go command replaces no files, and there can be no link to it: %w; install it elsewhere, and set GOTOOLCHAIN=local", t.version, err)
	}
	return link, nil
}

// relink makes a link beside its place and moves it there, since other processes may do the same.
func relink(to, link string) error {
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(link), "part")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	if err := os.Symlink(to, filepath.Join(part, "goroot")); err != nil {
		return err
	}
	return os.Rename(filepath.Join(part, "goroot"), link)
}

// beneath reports whether a path is below a directory, as both are written.
func beneath(path, dir string) bool {
	below, err := filepath.Rel(dir, path)
	return dir != "" && err == nil && filepath.IsLocal(below)
}

// nameOf returns a short name for a directory.
func nameOf(dir string) string {
	h := sha256.Sum256([]byte(dir))
	return hex.EncodeToString(h[:4])
}

// Go returns a command that runs the go command of [Overlay.Goroot], whatever toolchain a go.mod or GOTOOLCHAIN selects. Where goroot is "" it is
// the go command in use. Its Env is set, and the caller may append to it.
func Go(goroot string, args ...string) *exec.Cmd {
	if goroot == "" {
		c := exec.Command("go", args...)
		c.Env = os.Environ()
		return c
	}
	c := exec.Command(filepath.Join(goroot, "bin", "go"), args...)
	c.Env = append(os.Environ(), "GOROOT="+goroot, "GOTOOLCHAIN=local")
	return c
}
