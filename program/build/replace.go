package build

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The go command does not replace files below GOMODCACHE. A program whose modules change there is built with another GOMODCACHE. It has links to the
// directories of the module cache, and copies of those that change. So modules keep their names, and the built program does not depend on where it
// was built.

// changed returns the package with the changes that it is built with. The result has all that its overlays have in one.
func (p Package) changed(modcache string) (Package, error) {
	inside, outside := map[string]change{}, map[string]change{}
	if p.Files && !p.Native {
		all, err := p.changes()
		if err != nil {
			return p, err
		}
		for dir, c := range all {
			if strings.HasPrefix(dir, modcache+string(filepath.Separator)) {
				inside[dir] = c
			} else {
				outside[dir] = c
			}
		}
	}
	var err error
	if len(inside) > 0 {
		if p.modcache, err = modified(modcache, inside); err != nil {
			return p, err
		}
	}
	if len(outside) > 0 || p.Own != "" {
		p.Overlay, err = p.overlaid(outside)
	}
	return p, err
}

// modified returns the directory to be used as GOMODCACHE in place of modcache. A cached one is used again.
func modified(modcache string, changes map[string]change) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, modcache)
	for _, dir := range slices.Sorted(maps.Keys(changes)) {
		for _, name := range slices.Sorted(maps.Keys(changes[dir])) {
			fmt.Fprintf(h, "%s %s %d\n%s", dir, name, len(changes[dir][name]), changes[dir][name])
		}
	}
	return cached("modules-"+hex.EncodeToString(h.Sum(nil)[:16]), func(out string) error {
		if err := os.Remove(out); err != nil {
			return err
		}
		return mirror(modcache, out, changes)
	})
}

// mirror makes a directory with links to the directories of another, and with copies of those that change or lead to a change.
func mirror(from, to string, changes map[string]change) error {
	leads := func(dir string) bool {
		for changed := range changes {
			if changed == dir || strings.HasPrefix(changed, dir+string(filepath.Separator)) {
				return true
			}
		}
		return false
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, target := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		text, changed := changes[from][e.Name()]
		switch {
		case changed && text == nil:
		case leads(name):
			err = mirror(name, target, changes)
		case e.IsDir():
			err = os.Symlink(name, target)
		case !changed:
			err = copyFile(name, target)
		}
		if err != nil {
			return err
		}
	}
	for name, text := range changes[from] {
		if text != nil {
			if err := os.WriteFile(filepath.Join(to, name), text, 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

func copyFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, text, 0o666)
	}
	return err
}

// overlaid returns an overlay with the checker's edits, the changes, and the user's files. Of two replacements of a file the later counts. The error
// is one sentence: the user replaces a file that the checker edits.
func (p Package) overlaid(changes map[string]change) (string, error) {
	all, err := replacement(p.Overlay, p.Dir)
	if err != nil {
		return "", err
	}
	own, err := replacement(p.Own, p.Dir)
	if err != nil {
		return "", err
	}
	for name := range own {
		if _, edited := all[name]; edited {
			return "", fmt.Errorf("Config.Overlay replaces %s, which the checker edits: leave it out", name)
		}
	}
	for dir, c := range changes {
		for name, text := range c {
			by := ""
			if text != nil {
				if by, err = written(text); err != nil {
					return "", err
				}
			}
			all[filepath.Join(dir, name)] = by
		}
	}
	maps.Copy(all, own)
	list, err := json.Marshal(map[string]any{"Replace": all})
	if err != nil {
		return "", err
	}
	return written(list)
}

// written returns a cached file with a text.
func written(text []byte) (string, error) {
	sum := sha256.Sum256(text)
	return cached("text-"+hex.EncodeToString(sum[:16]), func(out string) error { return os.WriteFile(out, text, 0o666) })
}

// replacement reads the file of an overlay: the files that replace others, by absolute path.
func replacement(file, dir string) (map[string]string, error) {
	if file == "" {
		return map[string]string{}, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var o struct{ Replace map[string]string }
	if err := json.Unmarshal(text, &o); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	all := map[string]string{}
	for name, by := range o.Replace {
		if name, err = within(dir, name); err != nil {
			return nil, err
		}
		if by != "" {
			if by, err = within(dir, by); err != nil {
				return nil, err
			}
		}
		all[name] = by
	}
	return all, nil
}

// within returns the absolute path of a name in a directory.
func within(dir, name string) (string, error) {
	if filepath.IsAbs(name) {
		return filepath.Clean(name), nil
	}
	return filepath.Abs(filepath.Join(dir, name))
}
