package hub

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"sync"

	"contend/checker/verify/about"
)

// A Build is the identity of a program. Builds are equal if their files are: a version does not cover edited
// files, nor modules replaced by directories.
type Build struct {
	Version string `json:"version"` // for display
	Sum     string `json:"sum"`     // SHA-256 of the program's file, in hex
}

// String returns the version and the first digits of the sum.
func (b Build) String() string {
	return fmt.Sprintf("%s (%.12s)", b.Version, b.Sum)
}

// Valid returns one sentence about an invalid build from elsewhere, or nil.
func (b Build) Valid() error {
	if raw, err := hex.DecodeString(b.Sum); err != nil || len(raw) != sha256.Size {
		return fmt.Errorf("the sum of a build is not a SHA-256")
	}
	if len(b.Version) > 500 {
		return fmt.Errorf("the version of a build has %d bytes, but at most 500 are read", len(b.Version))
	}
	return nil
}

// Same reports whether two builds are equal.
func (b Build) Same(c Build) bool { return b.Sum == c.Sum }

// Refuse returns an error with both builds if they differ, or nil.
func (b Build) Refuse(owner string, theirs Build) error {
	if b.Same(theirs) {
		return nil
	}
	return fmt.Errorf("%s is of another build: %v, and this program is %v; all results must come from one program, so use the same file", owner, theirs, b)
}

// Own returns the build of this program, computed once.
var Own = sync.OnceValues(func() (Build, error) {
	f, err := program()
	if err != nil {
		return Build{}, fmt.Errorf("cannot read this program to compute its build: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return Build{}, fmt.Errorf("cannot read this program to compute its build: %w", err)
	}
	return Build{Version: about.Built(), Sum: hex.EncodeToString(h.Sum(nil))}, nil
})

// program opens the file of this program. On Linux it is the running file, even if another has its name now.
func program() (*os.File, error) {
	if f, err := os.Open("/proc/self/exe"); err == nil {
		return f, nil
	}
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}
