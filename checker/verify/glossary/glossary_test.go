package glossary

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/check"
)

var update = flag.Bool("update", false, "rewrite docs/glossary.md")

// The page says what the table says.
func TestPage(t *testing.T) {
	path := filepath.Join("..", "..", "..", "docs", "glossary.md")
	page := page()
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(page), 0o644))
	}
	is, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, page, string(is), "go test ./checker/verify/glossary -update writes it")
}

// A word stands for one entry, and what an entry points to is there.
func TestWords(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range Words() {
		assert.False(t, seen[w], "%s is there twice", w)
		seen[w] = true
	}
	for _, c := range Chapters {
		for _, e := range c.Entries {
			assert.Regexp(t, `^[A-Z].*[.]$`, e.Meaning, e.Word)
			for _, w := range e.See {
				_, ok := Find(w)
				assert.True(t, ok, "%s points to %s", e.Word, w)
			}
		}
	}
	for word, want := range map[string]string{"δ": "δ", "Δ": "Δ", "Violated (finding)": "finding", "states: 100": "states", "MUTANT": "variant"} {
		e, ok := Find(word)
		assert.True(t, ok, word)
		assert.Equal(t, want, e.Word, word)
	}
	_, ok := Find("")
	assert.False(t, ok)
}

// Every verdict, limit, kind of claim, reading, reduction, network model and fault that the sources give a name
// is in the glossary.
func TestEveryWordOfTheSources(t *testing.T) {
	for _, where := range []struct {
		files, words string
		least        int
	}{
		{"../../verdict/*.go", `Verdict = "([^"]+)"`, 4},
		{"../../verdict/*.go", `(?m)^\t(?:NothingClaimed|Stuck|Untested|NoStep) += "([^"]+)"`, 2},
		{"../../search/decide/decide.go", `(?m)^\t[A-Z]\w+ += "([^"]+)"`, 5},
		{"../../search/limits.go", `(?m)^\t[A-Z]\w+ += "([^"]+)"`, 4},
		{"../../search/*.go", `const (?:timeLock|Internal|Failure) = "([^"]+)"`, 3},
		{"../../search/*.go", `(?:Reductions = append\(r\.Reductions, |return \[\]string\{)"([^"]+)"`, 2},
		{"../../exhaustive/*.go", `decide\.Limited\("([^"]+)"\)`, 1},
		{"../../*/*.go", `Reductions = \[\]string\{"([^"]+)", "([^"]+)", "([^"]+)", "([^"]+)"`, 4},
		{"../../sample/sample.go", `Stop = "([^"]+)"`, 4},
		{"../../measure/assess.go", `(?m)^\t[A-Z]\w+ += "([^"]+)"`, 3},
		{"../mutants/mutants.go", `return "([A-Za-z ]+)"`, 3},
		{"../report/struck.go", `\{"([a-z]+)", row\.Faults\.`, 6},
	} {
		found := 0
		paths, err := filepath.Glob(where.files)
		require.NoError(t, err)
		for _, path := range paths {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for _, m := range regexp.MustCompile(where.words).FindAllStringSubmatch(string(text), -1) {
				for _, word := range m[1:] {
					found++
					_, ok := Find(word)
					assert.True(t, ok, "%s: %q is not in the glossary", path, word)
				}
			}
		}
		assert.GreaterOrEqual(t, found, where.least, "%s: %s", where.files, where.words)
	}
}

// Every limit has its advice: what changes the outcome.
func TestEveryLimitHasAdvice(t *testing.T) {
	for _, e := range limits {
		if e.Word != "limit" {
			assert.NotEmpty(t, check.Advice(e.Word), e.Word)
		}
	}
}

// page returns the glossary as a page of Markdown.
func page() string {
	var b strings.Builder
	b.WriteString("# Glossary\n\nThe words that the tool prints. `verify explain WORD` prints one entry.\n")
	for _, c := range Chapters {
		fmt.Fprintf(&b, "\n## %s\n", c.Title)
		for _, e := range c.Entries {
			fmt.Fprintf(&b, "\n**%s**", e.Word)
			if len(e.Also) > 0 {
				fmt.Fprintf(&b, " (%s)", strings.Join(e.Also, ", "))
			}
			fmt.Fprintf(&b, ": %s", e.Meaning)
			if len(e.See) > 0 {
				fmt.Fprintf(&b, " See %s.", strings.Join(e.See, ", "))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}
