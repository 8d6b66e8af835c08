package verify

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/checker"
	"contend/checker/rapidcheck"
)

// mistaken is the environment variable that names a mistake, or that is "all": the tests of protocols with mistakes are
// skipped without it, since they fail.
const mistaken = "CONTEND_TEST_MISTAKEN"

// TestMistaken is not a test by itself: TestMistakesUnderGoTest runs it and reads what it prints.
func TestMistaken(t *testing.T) {
	if os.Getenv(mistaken) == "" {
		t.Skip("it is run by TestMistakesUnderGoTest")
	}
	for _, m := range mistakes {
		if m.code == 2 {
			t.Run("test: "+m.name, func(t *testing.T) { checker.Test(t, m.made()) })
			t.Run("rapid: "+m.name, func(t *testing.T) { rapidcheck.Test(t, m.made()) })
		}
	}
}

// FuzzMistaken is TestMistaken for a fuzz target, of one mistake.
func FuzzMistaken(f *testing.F) {
	i := slices.IndexFunc(mistakes, func(m mistake) bool { return m.name == os.Getenv(mistaken) })
	if i < 0 {
		f.Skip("it is run by TestMistakesUnderGoTest")
	}
	checker.Fuzz(f, mistakes[i].made())
}

// A mistake is told once by each line of a test file, in one sentence that names it.
func TestMistakesUnderGoTest(t *testing.T) {
	told := tellsOf(t, "TestMistaken", "all")
	for _, m := range mistakes {
		if m.code != 2 || m.name == "a name of a verb" { // only a command line has verbs
			continue
		}
		for _, by := range []string{"test: ", "rapid: "} {
			if by == "rapid: " && m.name == "an eventually claim whose monitor has no goal" { // runs do not judge it
				continue
			}
			named(t, told[strings.ReplaceAll(by+m.name, " ", "_")], m, by)
		}
	}
	for _, m := range mistakes {
		if slices.Contains([]string{"no type of a message", "no type of the operation", "no Build", "two nodes of one name", "a cut without a name"}, m.name) {
			named(t, tellsOf(t, "FuzzMistaken", m.name)["FuzzMistaken"], m, "fuzz: ")
		}
	}
}

// named holds what is told to one sentence that names the mistake.
func named(t *testing.T, told []string, m mistake, by string) {
	t.Helper()
	if assert.Len(t, told, 1, by+m.name) {
		assert.Contains(t, told[0], m.says, by+m.name)
	}
}

var (
	failing = regexp.MustCompile(`^ *--- FAIL: (?:TestMistaken/)?([^/ ]+)`)
	saying  = regexp.MustCompile(`^ +[a-z_]+\.go:\d+: (.*)`)
)

// tellsOf runs a test that fails in a process of its own, and returns what is told in each of its subtests.
func tellsOf(t *testing.T, test, name string) map[string][]string {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run", "^"+test+"$", "-test.count", "1")
	c.Dir, c.Env = t.TempDir(), append(os.Environ(), mistaken+"="+name)
	out, err := c.CombinedOutput()
	assert.Error(t, err)
	assert.NotContains(t, string(out), "goroutine")
	told, in := map[string][]string{}, ""
	for line := range strings.Lines(string(out)) {
		if m := failing.FindStringSubmatch(line); m != nil {
			in = m[1]
		} else if m := saying.FindStringSubmatch(line); m != nil && !strings.HasPrefix(m[1], "not enlarged: ") {
			told[in] = append(told[in], m[1])
		}
	}
	return told
}
