package browser

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
)

// The release of axe-core that judges accessibility, and the sum under which npm has it.
const (
	axeVersion = "4.14.1"
	axeSum     = "FHfa+lmNjQZfJz1q8wKqIDwC6DExcHt/pkjNQb09a3NPjCKg2rhu5qb2S4r76ASyFNNtuFooJpZe37OgudVGtQ=="
)

// rules are the sets of axe-core's rules that pages must satisfy: all levels of WCAG 2.2 except AAA, and best
// practice.
const rules = `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`

// Accessible fails the test for each rule of axe-core that the page violates in its current state: the rules
// of WCAG 2.2, A and AA, and of best practice. It skips the test if axe-core is not in the cache and npm
// cannot fetch it.
func (tab *Tab) Accessible() {
	tab.t.Helper()
	script, err := axe()
	if err != nil {
		tab.t.Skipf("axe-core %s, which judges accessibility, is not here, and npm does not fetch it: %v", axeVersion, err)
	}
	tab.Do(script)
	for _, v := range Eval[[]string](tab, `axe.run(document, {runOnly: `+rules+`}).then(r => r.violations.flatMap(v =>
		v.nodes.map(n => v.id + ' (' + v.help + '): ' + n.target.join(' ') + ': ' + n.failureSummary.replace(/\s+/g, ' '))))`) {
		tab.t.Errorf("axe: %s", v)
	}
}

// axe is the text of axe-core, read once.
var axe = sync.OnceValues(func() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "contend")
	file := filepath.Join(dir, "axe-core-"+axeVersion+".tgz")
	packed, err := os.ReadFile(file)
	if err != nil {
		if err := fetched(dir); err != nil {
			return "", err
		}
		if packed, err = os.ReadFile(file); err != nil {
			return "", err
		}
	}
	if sum := sha512.Sum512(packed); base64.StdEncoding.EncodeToString(sum[:]) != axeSum {
		return "", fmt.Errorf("%s is not what npm published: delete it", file)
	}
	return member(packed, "package/axe.min.js")
})

// fetched makes npm download the package into a directory.
func fetched(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	out, err := exec.Command("npm", "pack", "--silent", "--pack-destination", dir, "axe-core@"+axeVersion).CombinedOutput()
	if err != nil {
		return fmt.Errorf("npm pack: %w: %.300s", err, bytes.TrimSpace(out))
	}
	return nil
}

// member returns a file of an archive.
func member(packed []byte, name string) (string, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return "", err
	}
	for archive := tar.NewReader(unzipped); ; {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			return "", fmt.Errorf("the package has no %s", name)
		}
		if err != nil {
			return "", err
		}
		if header.Name == name {
			text, err := io.ReadAll(archive)
			return string(text), err
		}
	}
}
