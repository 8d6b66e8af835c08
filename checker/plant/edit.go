package plant

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// An Edit replaces a piece of text in a file of a module.
type Edit struct {
	File string // path within the module, with slashes
	Old  string // text to replace; it must occur exactly once
	New  string // replacement; it must differ from Old
}

// apply returns the edited source text. The error is one sentence that names the file and the rule.
func (e Edit) apply(source string) (string, error) {
	if e.Old == "" {
		return "", fmt.Errorf("%s: the text to replace is empty", e.File)
	}
	if n := strings.Count(source, e.Old); n != 1 {
		return "", fmt.Errorf("%s: the text to replace must occur once, but occurs %d times: %q", e.File, n, e.Old)
	}
	if e.New == e.Old {
		return "", fmt.Errorf("%s: the new text is the old text: %q", e.File, e.Old)
	}
	return strings.Replace(source, e.Old, e.New, 1), nil
}

// Apply applies edits in order to the files of a module in a directory. It returns the text of each changed
// file by its path within the module. No file changes.
func Apply(module string, edits []Edit) (map[string]string, error) {
	files := map[string]string{}
	for _, e := range edits {
		if !filepath.IsLocal(filepath.FromSlash(e.File)) {
			return nil, fmt.Errorf("%s: the file must be a path within the module", e.File)
		}
		text, ok := files[e.File]
		if !ok {
			source, err := os.ReadFile(filepath.Join(module, filepath.FromSlash(e.File)))
			if errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("%s: the module has no such file", e.File)
			}
			if err != nil {
				return nil, err
			}
			text = string(source)
		}
		text, err := e.apply(text)
		if err != nil {
			return nil, err
		}
		files[e.File] = text
	}
	return files, nil
}
