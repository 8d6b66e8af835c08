package overlay

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// An Overlay is the edits of one Go release.
type Overlay struct {
	File    string // for go build -overlay
	Goroot  string // for [Go], which runs that go build
	Version string // of Go, such as go1.26.8
	Hash    string // of the edited files, in hexadecimal
	Native  bool   // of a native guest
	// Compiler is the compiler that marks loads and stores, with [Edits.Race]. It is a program for -toolexec: see [Overlay.RaceFlags].
	Compiler string
}

// Edits selects the edits.
type Edits struct {
	Schedule bool  // the host decides how goroutines are scheduled
	Net      bool  // package net reaches the other nodes: see Tag
	Race     bool  // races are found, in what [Overlay.Compiler] compiles; needs Schedule
	Tests    bool  // a test can be begun again, and the host is told of what its body cannot do
	Native   bool  // the program runs within its host's process, on linux/amd64: the edits of [NativeReleases]; of a program whose goroutines the host schedules, those for [Edits.Tests]
	Files    bool  // package syscall has flock, mmap and other calls of Linux for files, as a native program has; only in WebAssembly
	Slow     int64 // nanoseconds that a sync, a renaming and a removal of a file take; 0 stands for none
}

// Tag is the build tag with which package sim replaces package net, if [Edits.Net] edits it.
const Tag = "contend_net"

// Make writes the overlay for the go command that is in use in the directory at, "" being the current one. The overlay gets a directory of its
// own below dir, unless it is there. The error is one sentence: that go does not run, that files cannot be written, or which file of the
// release does not fit.
func (e Edits) Make(at, dir string) (*Overlay, error) {
	r, err := inUse(at)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	link, err := r.outside(dir)
	if err != nil {
		return nil, err
	}
	o, err := e.makeFor(cmp.Or(link, r.goroot), r.version, dir)
	if err != nil {
		return nil, err
	}
	o.Goroot = link
	o.Native = e.Native
	if e.Race && !e.Native {
		if o.Compiler, err = compiler(r, link, dir); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Cached is [Edits.Make] in the user's cache directory.
func (e Edits) Cached(at string) (*Overlay, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	return e.Make(at, filepath.Join(dir, "contend"))
}

func (e Edits) makeFor(goroot, version, dir string) (*Overlay, error) {
	texts, err := e.texts(goroot)
	var m *missing
	if errors.As(err, &m) {
		return nil, fmt.Errorf("a program of %s cannot be built with the host's edits, for in this release %v", version, m)
	}
	if err != nil {
		return nil, err
	}
	o := &Overlay{Version: version, Hash: hashOf(texts)}
	dir = filepath.Join(dir, "overlay-"+version+"-"+nameOf(goroot)+"-"+o.Hash[:16])
	o.File = filepath.Join(dir, "overlay.json")
	if _, err := os.Stat(o.File); err == nil {
		return o, nil
	}
	return o, write(goroot, dir, texts)
}

func hashOf(texts map[string][]byte) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(texts[name]), texts[name])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// write writes the files beside their place, so that the directory is there whole or not at all.
func write(goroot, dir string, texts map[string][]byte) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), "part")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	replace := map[string]string{}
	for name, text := range texts {
		file := strings.ReplaceAll(name, "/", "_")
		replace[filepath.Join(goroot, "src", filepath.FromSlash(name))] = filepath.Join(dir, file)
		if err := os.WriteFile(filepath.Join(part, file), text, 0o644); err != nil {
			return err
		}
	}
	list, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(part, "overlay.json"), list, 0o644); err != nil {
		return err
	}
	if err := os.Rename(part, dir); err != nil && !errors.Is(err, os.ErrExist) {
		return err
	}
	return nil
}

// A release is the standard library of a Go release, with its edits.
type release struct {
	goroot  string
	native  bool // the program is
	sources map[string]*source
	added   map[string][]byte
	err     error
}

// edits gives the edited and the added files of a release, by name.
func (e Edits) texts(goroot string) (map[string][]byte, error) {
	o := &release{goroot: goroot, native: e.Native, sources: map[string]*source{}, added: map[string][]byte{}}
	if e.Native {
		native(o)
	}
	if e.Schedule {
		bare := raw
		if e.Race {
			bare = below
		}
		scheduler(o, bare)
		atomics(o, bare)
		syncs(o)
		races(o, e.Race)
	}
	if e.Net {
		networks(o, e.Native)
	}
	if e.Tests {
		if e.Native && !e.Net {
			socketless(o) // a body reaches only itself, as in WebAssembly
		}
		tests(o)
	}
	if !e.Native && (e.Files || e.Slow > 0) {
		files(o, e.Slow)
	}
	if e.Slow > 0 {
		disks(o, e.Slow, e.Native)
	}
	return o.edited()
}

// edited gives the edited and the added files, by name.
func (o *release) edited() (map[string][]byte, error) {
	for _, name := range slices.Sorted(maps.Keys(o.sources)) {
		s := o.sources[name]
		text, err := s.edited()
		if err != nil {
			return nil, err
		}
		if len(s.edits) > 0 {
			o.added[name] = text
		}
	}
	return o.added, o.err
}

// open returns a file of the release. An unreadable file is an error at the end.
func (o *release) open(name string) *source {
	s := o.sources[name]
	if s == nil {
		s = open(o.goroot, name)
		o.sources[name] = s
	}
	return s
}

func (o *release) add(name, text string) {
	if _, twice := o.added[name]; twice {
		o.err = &missing{name, "is added by two edits"}
	}
	o.added[name] = []byte(text)
}

// files lists the Go files of a package that are not tests.
func (o *release) files(dir string) (names []string) {
	entries, err := os.ReadDir(filepath.Join(o.goroot, "src", filepath.FromSlash(dir)))
	if err != nil {
		o.err = &missing{dir, "cannot be read"}
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			names = append(names, path.Join(dir, e.Name()))
		}
	}
	return names
}
