package outside

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// mount mounts a file with an ext4 file system.
func mount(t *testing.T, disk, options string) (dir string) {
	dir = t.TempDir()
	out, err := exec.Command("mount", "-o", "loop,"+options, disk, dir).CombinedOutput()
	if err != nil {
		t.Skipf("mount: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", dir).Run() })
	return dir
}

// newDisk makes a file with an empty ext4 file system.
func newDisk(t *testing.T) (disk string) {
	if testing.Short() {
		t.Skip("it mounts file systems")
	}
	disk = filepath.Join(t.TempDir(), "disk")
	require.NoError(t, os.WriteFile(disk, nil, 0o600))
	require.NoError(t, os.Truncate(disk, 32<<20))
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", disk).CombinedOutput(); err != nil {
		t.Skipf("mkfs.ext4: %v: %s", err, out)
	}
	return disk
}

// crashed mounts a copy of the disk: what was written to the disk until now, as after a loss of power.
func crashed(t *testing.T, disk, options string) (dir string) {
	b, err := os.ReadFile(disk)
	require.NoError(t, err)
	after := filepath.Join(t.TempDir(), "after")
	require.NoError(t, os.WriteFile(after, b, 0o600))
	return mount(t, after, options)
}
