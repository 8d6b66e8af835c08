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

// A Build is the identity of a program. Two builds are the same if their bytes are: the version of
// a program says nothing of files that were edited, nor of modules that go.mod replaces by directories.
type Build struct {
	Version string `json:"version"` // for people
	Sum     string `json:"sum"`     // SHA-256 of the program's file, in hex
}

// String names the build.
func (b Build) String() string {
	return fmt.Sprintf("%s (%.12s)", b.Version, b.Sum)
}

// Valid says in a sentence what is wrong with a build that came from elsewhere, or returns nil.
func (b Build) Valid() error {
	if raw, err := hex.DecodeString(b.Sum); err != nil || len(raw) != sha256.Size {
		return fmt.Errorf("the sum of a build is no SHA-256")
	}
	if len(b.Version) > 500 {
		return fmt.Errorf("the version of a build has %d bytes, but at most 500 are read", len(b.Version))
	}
	return nil
}

// Same reports whether two builds are the same.
func (b Build) Same(c Build) bool { return b.Sum == c.Sum }

// Refuse says, naming both builds, that a worker must not work for somebody; nil where their builds are the same.
func (b Build) Refuse(of string, theirs Build) error {
	if b.Same(theirs) {
		return nil
	}
	return fmt.Errorf("%s is of another build: %v, and this program is %v; results are those of one program, so take the same file", of, theirs, b)
}

// Own is the build of this program.
var Own = sync.OnceValues(func() (Build, error) {
	f, err := program()
	if err != nil {
		return Build{}, fmt.Errorf("cannot read this program to tell its build: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return Build{}, fmt.Errorf("cannot read this program to tell its build: %w", err)
	}
	return Build{Version: about.Built(), Sum: hex.EncodeToString(h.Sum(nil))}, nil
})

// program is the file of this program: on Linux the one that runs, even where another has taken its name.
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
