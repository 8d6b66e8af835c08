package impl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contend/impl"
)

// Every protocol's lists are in order, and every proof and finding that they name is
// written up under its anchor.
func TestSuite(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range impl.Suite {
		if err := p.Validate(); err != nil || seen[p.Name] {
			t.Errorf("%s: %v, listed before: %v", p.Name, err, seen[p.Name])
		}
		seen[p.Name] = true
		for _, c := range p.Claims {
			if c.Proof != "" {
				checkAnchor(t, c.Proof)
			}
		}
		for _, f := range p.Findings {
			checkAnchor(t, "docs/findings.md#"+f.Name)
		}
	}
}

func checkAnchor(t *testing.T, ref string) {
	t.Helper()
	file, anchor, _ := strings.Cut(ref, "#")
	text, err := os.ReadFile(filepath.Join("..", file))
	if err != nil {
		t.Error(err)
		return
	}
	for _, line := range strings.Split(string(text), "\n") {
		if heading := strings.TrimLeft(line, "#"); heading != line && slug(heading) == anchor {
			return
		}
	}
	t.Errorf("%s has no heading for %s", file, anchor)
}

// slug is the anchor that a heading gets when it is rendered.
func slug(heading string) string {
	keep := func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r > 127:
			return r
		}
		return -1
	}
	return strings.Map(keep, strings.ToLower(strings.TrimSpace(heading)))
}
