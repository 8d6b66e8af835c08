package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// module is a module of a user's own, in a directory that the test removes.
type module struct {
	t   *testing.T
	dir string
}

// repository returns the directory of go.mod.
func repository(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../..")
	require.NoError(t, err)
	return dir
}

// emptyModule creates a module that can import this module.
func emptyModule(t *testing.T, name string) *module {
	t.Helper()
	m, repository := &module{t, t.TempDir()}, repository(t)
	m.write("go.mod", "module "+name+"\n\ngo 1.26\n\nrequire contend v0.0.0\n\nreplace contend => "+repository+"\n")
	m.write("go.sum", m.read(filepath.Join(repository, "go.sum")))
	return m
}

// newModule starts a module with a protocol: the starter, edited.
func newModule(t *testing.T, edit *strings.Replacer) *module {
	t.Helper()
	if testing.Short() {
		t.Skip("compiles a module")
	}
	m := emptyModule(t, "example.org/mine")
	for _, suffix := range []string{".go", "_test.go"} {
		text := m.read(filepath.Join(repository(t), "checker/verify/starter/starter"+suffix))
		m.write("starter/starter"+suffix, edit.Replace(text))
	}
	m.tidy()
	return m
}

// tidy adds all imports to the go.mod file.
func (m *module) tidy() {
	m.t.Helper()
	out, ok := m.sh("go mod tidy")
	require.True(m.t, ok, out)
}

func (m *module) read(name string) string {
	m.t.Helper()
	b, err := os.ReadFile(name)
	require.NoError(m.t, err)
	return string(b)
}

func (m *module) write(name, text string) {
	m.t.Helper()
	path := filepath.Join(m.dir, name)
	require.NoError(m.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(m.t, os.WriteFile(path, []byte(text), 0o644))
}

// sh runs a command line in the module. It returns the output, and whether the command succeeds.
func (m *module) sh(line string) (string, bool) {
	m.t.Helper()
	c := exec.Command("sh", "-c", line)
	c.Dir = m.dir
	c.Env = append(os.Environ(), "GOFLAGS="+os.Getenv("GOFLAGS")+" -ldflags=-w") // to link is most of the work
	out, err := c.CombinedOutput()
	return string(out), err == nil
}

// A bug fails go test of a user's own module. Every check prints its run and stores it in a separate file.
// The command that a check prints fails with the same run.
func TestBugShowsInAModuleOfItsOwn(t *testing.T) {
	if !*full {
		t.Skip("runs the tests of a module three times")
	}
	m := newModule(t, strings.NewReplacer("Grants: 1}", "Grants: 2}"))
	out, passes := m.sh("go test ./starter")
	require.False(t, passes, out)
	require.NotContains(t, out, "verify check", "the suite of that command lacks the protocol")
	require.Contains(t, out, "--- FAIL: TestByRapid")
	require.Contains(t, out, "--- FAIL: FuzzProtocol/seed#")
	again := regexp.MustCompile(`kept in (\S+)\s+in a browser: (\S+)\s+replayed first by: (.*)`).FindAllStringSubmatch(out, -1)
	require.Len(t, again, 4, out)
	for i, test := range []string{"TestProtocol/check1", "TestProtocol/check2", "TestByRapid", "FuzzProtocol"} {
		file, page, command := again[i][1], again[i][2], again[i][3]
		require.Equal(t, "testdata/contend/"+test+"/mutual-exclusion.json", file)
		require.Equal(t, "go test example.org/mine/starter -run '^"+strings.ReplaceAll(test, "/", "$/^")+"$'", command)
		require.FileExists(t, filepath.Join(m.dir, "starter", file))
		require.FileExists(t, filepath.Join(m.dir, "starter", page))
	}
	require.Regexp(t, `(?s)mutual exclusion is violated: c1: it gets the lock.*\n +1  c1 +invokes Acquire.*✗ mutual exclusion is violated at step`, out)
	require.Regexp(t, `rapid's shortest run: minimised from \d+ to 8 steps`, out)
	require.Regexp(t, `an input of 0 bytes: minimised from \d+ to 8 steps`, out)

	out, passes = m.sh(again[1][3])
	require.False(t, passes, out)
	require.Regexp(t, `(?s)check2.*mutual-exclusion.json still breaks mutual exclusion.*\n +1  c1 +invokes Acquire`, out)
	require.NotContains(t, out, "check1")
}

// In a user's own module go test reports source code that a search cannot judge, with the line: here a count
// that is not in any state. It does not with -short. Without -full this test is skipped, since it compiles a
// module.
func TestVetInAModuleOfItsOwn(t *testing.T) {
	if !*full {
		t.Skip("compiles a module")
	}
	m := newModule(t, strings.NewReplacer("func (s *Server) Receive(env model.Env, from model.NodeID, m any) {", "var calls int\n\nfunc (s *Server) Receive(env model.Env, from model.NodeID, m any) {\n\tcalls++"))
	out, passes := m.sh("go test ./starter -run 'TestProtocol/(vet|check1)'")
	require.False(t, passes, out)
	require.Regexp(t, `--- FAIL: TestProtocol/vet .*\n +\S+:\d+: \S*starter\.go:\d+:2: Receive of Server writes the package-level variable calls\n`, out)
	require.NotContains(t, out, "--- FAIL: TestProtocol/check1")
	out, passes = m.sh("go test -short ./starter -run 'TestProtocol/vet'")
	require.True(t, passes, out)

	out, passes = m.sh("go test -c -o test ./starter && cd starter && PATH=/nowhere ../test -test.v -test.run 'TestProtocol/vet'")
	require.True(t, passes, out)
	require.Regexp(t, `(?s)contend-vet did not look through example.org/mine/starter: .*executable file not found.*--- SKIP: TestProtocol/vet`, out)
}
