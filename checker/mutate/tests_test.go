package mutate

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A module with a function for each outcome. Its test leaves a file behind.
var outcomes = map[string]string{
	"go.mod": "module example.org/small\n\ngo 1.26\n",
	"small.go": `package small

func Caught(n int) bool { return n > 2 }

func Survives(n int) int {
	n += 0
	return n + 1
}

func Unused() int { return 5 }

func Partly(n int) int {
	if n > 100 {
		n--
		return n
	}
	return n
}

func Endless(n int) {
	for i := 0; i < n; {
		i++
	}
}

func Hungry(n int) (all [][]byte) {
	for len(all) < n {
		all = append(all, make([]byte, 1<<20))
		all[len(all)-1][0] = 1
		if len(all) > 20 {
			break
		}
	}
	return all
}
`,
	"small_test.go": `package small

import (
	"os"
	"testing"
	"time"
)

func TestFails(t *testing.T) { t.Fatal("it always does") }

func TestAll(t *testing.T) {
	if !Caught(3) || Caught(2) {
		t.Error("it is not caught")
	}
	if Survives(1) != 2 || Partly(1) != 1 {
		t.Error("wrong")
	}
	Endless(3)
	Hungry(0)
	os.WriteFile("left behind", nil, 0o644)
}

func TestLong(t *testing.T) { time.Sleep(time.Hour) }
`,
	"testdata/contend/equivalent.txt": "Survives: drop n += 0\n\tnothing is added\nCaught: n > 2 → n >= 2\n\tsaid wrongly\n",
}

func TestTests(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles a module")
	}
	dir := t.TempDir()
	for name, text := range outcomes {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	r, err := Tests(Options{Dir: dir, Patterns: []string{"."}, Workers: 2, Memory: 200 << 20, Most: 2 * time.Second})
	require.NoError(t, err)
	require.Len(t, r.Notes, 2)
	assert.Contains(t, r.Notes[0], "TestFails fails without a mutant")
	assert.Contains(t, r.Notes[1], "TestLong takes longer than 2s")
	is := map[string]*Tried{}
	for _, m := range r.Mutants {
		is[m.Name] = m
	}
	for name, want := range map[string]Outcome{
		"Caught: n > 2 → n >= 2":               Caught,
		"Caught: 2 → 3":                        Caught,
		"Survives: drop n += 0":                Accepted,
		"Survives: n + 1 → n - 1":              Caught,
		"Survives: 0 → 1":                      Caught,
		"Unused: 5 → 6":                        Unused,
		"Partly: drop n--":                     Unreached,
		"Partly: n > 100 → true":               Caught,
		"Partly: 100 → 99":                     Survived,
		"Endless: drop i++":                    Caught,
		"Hungry: len(all) < n → len(all) <= n": Survived,
	} {
		if assert.Contains(t, is, name) {
			assert.Equal(t, want, is[name].Outcome, "%s: %s", name, is[name].By)
		}
	}
	assert.Equal(t, ByTime, is["Endless: drop i++"].How)
	assert.Equal(t, "TestAll", is["Caught: 2 → 3"].By)
	require.Len(t, r.Stale, 1)
	assert.Equal(t, "it is caught by TestAll", r.Stale[0].Why)
	assert.NoFileExists(t, filepath.Join(dir, "left behind"))
	assert.Equal(t, len(r.Mutants), r.Count(Caught)+r.Count(Survived)+r.Count(Accepted)+r.Count(Unused)+r.Count(Unreached))
}
