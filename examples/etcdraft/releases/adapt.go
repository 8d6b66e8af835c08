package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// An adaption is a change of the glue for a release.
type adaption struct {
	replaced []string // directories under testdata with files that replace the glue's files
	texts    []string // old, new, …: texts that are then replaced in all Go files
	added    string   // a directory under testdata, with files beside its own
	brings   string   // a package of the library at v3.6.0, as a directory of the glue
	requires []string // modules
}

func (r Release) adaption() adaption {
	switch {
	case r.Module == inEtcd:
		return adaption{
			texts: []string{
				byItself, inEtcd,
				"StepDownOnRemoval: o.StepDown, AsyncStorageWrites: o.Async,", "",
				`, "Storage.callStats"`, "",
				`, "Node.raft.traceLogger"`, "",
				`"Node.raft.trk.Votes"`, `"Node.raft.prs.Votes"`,
			},
			replaced: []string{"without-abstract", "v3.5"},
			requires: []string{inEtcd + "@" + r.Version},
		}
	case strings.HasPrefix(r.Version, "v3.7."):
		return adaption{
			texts: []string{
				`"` + byItself + `"`, `"contend/examples/etcdraft/raft"`,
				`"` + byItself + `/raftpb"`, `"contend/examples/etcdraft/raftpb"`,
				"Storage: p.Storage,", "Storage: p.Storage.MemoryStorage,",
				`*foreign.Field[[]raftpb.Entry](p, "Node.raft.raftLog.unstable.entries")`,
				`raft.Entries(*foreign.Field[[]*raft.Entry](p, "Node.raft.raftLog.unstable.entries"))`,
				`"Node.raft.`, `"Node.RawNode.raft.`,
				`"Storage.`, `"Storage.MemoryStorage.`,
			},
			replaced: []string{"without-abstract"},
			added:    "v3.7",
			brings:   "raftpb",
			requires: []string{byItself + "@" + r.Version, "github.com/gogo/protobuf@v1.3.2"},
		}
	}
	return adaption{requires: []string{byItself + "@" + r.Version}}
}

// adapt writes the glue for a release into a directory. The glue's module is in another directory. Findings
// that are recorded for one release do not apply to other releases.
func (r Release) adapt(module, dir string) error {
	a := r.adaption()
	a.texts = append(a.texts, "Findings: findings,", "")
	if err := copyGlue(module, dir); err != nil {
		return err
	}
	other := filepath.Join(module, "releases", "testdata")
	for _, name := range a.replaced {
		if err := copyInto(filepath.Join(other, name), dir); err != nil {
			return err
		}
	}
	for i := 0; i < len(a.texts); i += 2 {
		if err := replace(dir, a.texts[i], a.texts[i+1]); err != nil {
			return err
		}
	}
	if a.added != "" {
		if err := copyInto(filepath.Join(other, a.added), dir); err != nil {
			return err
		}
	}
	if err := a.bring(dir); err != nil {
		return err
	}
	return a.require(module, dir)
}

// copyGlue copies the sources of the command.
func copyGlue(module, dir string) error {
	for _, name := range []string{"main.go", "go.mod", "go.sum", "group", "member", "traced"} {
		from := filepath.Join(module, name)
		info, err := os.Stat(from)
		if err != nil {
			return err
		}
		if info.IsDir() {
			err = copyInto(from, filepath.Join(dir, name))
		} else {
			err = copyFile(from, filepath.Join(dir, name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// copyInto copies a tree without tests. It overwrites existing files.
func copyInto(from, to string) error {
	return filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		return copyFile(path, filepath.Join(to, inside))
	})
}

func copyFile(from, to string) error {
	content, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, content, 0o644)
}

// replace replaces a text in all Go files of a tree. It must be there.
func replace(dir, old, with string) error {
	times := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		times += strings.Count(string(content), old)
		return os.WriteFile(path, []byte(strings.ReplaceAll(string(content), old, with)), 0o644)
	})
	if err == nil && times == 0 {
		err = fmt.Errorf("the glue has no text %q to replace", old)
	}
	return err
}

// bring copies a package of the library at v3.6.0. Its messages are registered with gogo's protobuf, and not with the protobuf that
// the release has its own registered with.
func (a adaption) bring(dir string) error {
	if a.brings == "" {
		return nil
	}
	source, err := Release{byItself, glued}.source()
	if err != nil {
		return err
	}
	to := filepath.Join(dir, a.brings)
	if err := copyInto(filepath.Join(source, a.brings), to); err != nil {
		return err
	}
	if err := replace(to, "github.com/golang/protobuf/proto", "github.com/gogo/protobuf/proto"); err != nil {
		return err
	}
	return replace(to, "proto.ProtoPackage", "proto.GoGoProtoPackage")
}

// require writes the go.mod.
func (a adaption) require(module, dir string) error {
	contend, err := filepath.Abs(filepath.Join(module, "..", ".."))
	if err != nil {
		return err
	}
	args := []string{"mod", "edit", "-droprequire=" + byItself, "-replace=contend=" + contend}
	for _, m := range a.requires {
		args = append(args, "-require="+m)
	}
	if _, err := run(dir, "go", args...); err != nil {
		return err
	}
	_, err = run(dir, "go", "mod", "tidy")
	return err
}

// build builds the command for a release and returns its path.
func (r Release) build(module, dir string) (string, error) {
	if err := r.adapt(module, dir); err != nil {
		return "", err
	}
	command := filepath.Join(dir, "etcdraft-at-release")
	_, err := run(dir, "go", "build", "-o", command, ".")
	return command, err
}
