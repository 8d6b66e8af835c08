package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"contend/checker/verify"
	"contend/checker/verify/console"
	"contend/impl"
)

// curtailed has the commands of the README that take long, with flags that make them short here. The test
// checks that they are valid, not their results.
var curtailed = map[string]string{
	`verify check ordering -n 1 --attempts 1`:                                                                                "--timeout 1ns",
	`verify check backoff -n 6 -b 1 --time dense --claim "Lemma 1"`:                                                          "--timeout 1ns",
	`verify check backoff/lease-short -n 3 --clients 3 --tries 1 --delay 1000 --section 1000 --time dense --claim "Lemma 1"`: "--timeout 1ns",
	`verify check backoff/margin -n 3 --clients 3 --tries 1 --drift 100 --time dense --claim "Lemma 1"`:                      "--timeout 1ns",
	`verify check backoff/enqueue+safe-retry -n 3 --network stable --time dense --claim "Lemma 1"`:                           "--timeout 1ns",
	`verify check ordering -n 3 --attempts 1 --max-memory 8GiB --claim "Theorem 1" --checkpoint ck`:                          "--timeout 1ns",
	`verify check ordering -n 3 --attempts 1 --max-memory 8GiB --claim "Theorem 1" --resume ck`:                              "--timeout 1ns",
	`verify check backoff -n 5 -b 1 --tries 1 --beyond-bounds`:                                                               "--timeout 1ns",
	`verify check ordering -n 7 -b 1 --claim "Theorem 1" --timeout 10m`:                                                      "--timeout 1ns",
	`verify run backoff -n 6 -b 1 --schedules 100000`:                                                                        "--schedules 1",
	`verify mutants`: "changroberts --timeout 1ns",
	`verify measure backoff --html page.html`: "--contenders 1 --runs 2",
	`verify table`:              "implications --timeout 1ns", // TestTables of checker/verify computes them all
	`verify table implications`: "--timeout 1ns",
	`verify selftest`:           "--systems 1",
	`verify check --json`:       "changroberts --timeout 1ns",
	`go run ./cmd/verify`:       "--timeout 1ns --no-sample", // the whole suite
}

// elsewhere are the commands that are not the tool's, and where they are run.
var elsewhere = map[string]string{
	`go test ./...`:           "it is what runs this test",
	`verify new mylock`:       "TestPages, of the tutorial",
	`go test ./mylock`:        "TestPages, of the tutorial",
	`go install ./cmd/verify`: "the compiler, of this package",
	`go mod edit -require contend@v0.0.0 -replace contend=../contend`: "TestPages writes such a go.mod",
	`verify mutate ./impl/quorumlock`:                                 "it compiles the protocol anew: TestScripts/mutate of checker/verify",
	`verify explore ordering -n 7 -b 1`:                               "it serves until it is stopped: TestServe of checker/explore, TestExploreServes of checker/verify",
	`go install ./cmd/contend-vet`:                                    "the compiler, of ./...",
	`go vet -vettool=$(which contend-vet) ./...`:                      "the tests of checker/vet, on the suite and on a starter",
	`go mod tidy`: "TestPages, of the tutorial",
	`verify minimize contend-traces/backoff-lease-delta-lemma-1-1.json`:                                   "TestScripts/minimize of checker/verify, with a trace that is there",
	`verify drive twophase -n 2 --restarts 1 --adapter "python3 examples/twophase-python/participant.py"`: "TestPython of checker/drive",
	`verify drive twophase -n 2 --cover pairs --suite runs`:                                               "TestScripts/drive of checker/verify, likewise",
	`verify live backoff -n 6 -b 1 --clients 8 --for 60s`:                                                 "TestScripts/live of checker/verify, for less time",
	`verify validate twophase -n 3 tm.log rm1.log rm2.log rm3.log`:                                        "TestScripts/validate of checker/verify, with logs that are there",
	`verify validate twophase -n 3 --open-ended --ignore time all.log --out run.json`:                     "TestScripts/validate of checker/verify, likewise",
	`verify minimize long.json --out short.json --timeout 10m`:                                            "TestScripts/minimize of checker/verify, likewise",
}

// A shown command is one of the README, with the lines below it that it is said to print.
type shown struct {
	command string
	output  []string
}

// Each command of the README, of docs/commands.md and of docs/writing.md is valid. The cheap commands are
// run, and their output is compared with the README line by line. Seconds may differ, and "..." matches any
// text.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	require.NoError(t, err)
	list, err := os.ReadFile(filepath.Join("..", "..", "docs", "commands.md"))
	require.NoError(t, err)
	writing, err := os.ReadFile(filepath.Join("..", "..", "docs", "writing.md"))
	require.NoError(t, err)
	t.Chdir(t.TempDir())
	commands := slices.Concat(commandsOf(string(text)), commandsOf(string(list)), commandsOf(string(writing)))
	assert.Greater(t, len(commands), 20, "the README's commands are not found")
	for _, c := range commands {
		if elsewhere[c.command] != "" {
			continue
		}
		args := strings.TrimPrefix(strings.Replace(c.command, "go run ./cmd/verify", "verify", 1), "verify")
		t.Run(c.command, func(t *testing.T) {
			var out, errors strings.Builder
			code := verify.Run(impl.Suite, words(args+" "+curtailed[c.command]), &out, &errors, more...)
			assert.Contains(t, []int{console.ExitHolds, console.ExitViolated, console.ExitLimit}, code, errors.String())
			if curtailed[c.command] == "" {
				assert.NotEqual(t, console.ExitLimit, code, out.String())
			}
			if len(c.output) > 0 {
				assert.Empty(t, missing(c.output, strings.Split(out.String(), "\n")), "it prints\n%s", out.String())
			}
		})
	}
	for command := range curtailed {
		assert.True(t, slices.ContainsFunc(commands, func(c shown) bool { return c.command == command }), "the README does not have: %s", command)
	}
}

// fenced are the blocks that TestPages of package checker follows.
var fenced = regexp.MustCompile("(?ms)^```.*?^```$")

// commandsOf returns the commands in indented blocks: commands after "$ ", with their output, and commands
// with or without a remark.
func commandsOf(text string) (all []shown) {
	printing := false
	lines := strings.Split(fenced.ReplaceAllString(text, ""), "\n")
	for i, line := range lines {
		body, indented := strings.CutPrefix(line, "    ")
		command, prints := strings.CutPrefix(body, "$ ")
		switch {
		case prints:
			printing = true
			all = append(all, shown{command: command})
		case printing && (indented || line == "" && i+1 < len(lines) && strings.HasPrefix(lines[i+1], "    ")):
			last := &all[len(all)-1]
			last.output = append(last.output, body)
		case indented && regexp.MustCompile(`^(verify|go) `).MatchString(body+" "):
			all = append(all, shown{command: regexp.MustCompile(` {2,}.*$`).ReplaceAllString(body, "")})
		default:
			printing = false
		}
	}
	return all
}

// words splits a command line.
func words(line string) []string {
	all := regexp.MustCompile(`"[^"]*"|\S+`).FindAllString(line, -1)
	for i := range all {
		all[i] = strings.Trim(all[i], `"`)
	}
	return all
}

// missing returns the first shown line that is not printed at its place; "" if there is none.
func missing(want, got []string) string {
	gap := false
	for _, line := range want {
		if line == "..." {
			gap = true
			continue
		}
		i := slices.IndexFunc(got, func(g string) bool { return timeless(g) == timeless(line) })
		if i < 0 || i > 0 && !gap {
			return line
		}
		got, gap = got[i+1:], false
	}
	if rest := strings.TrimSpace(strings.Join(got, "")); !gap && rest != "" {
		return "nothing more, but there is: " + rest
	}
	return ""
}

// timeless returns a line without seconds.
func timeless(line string) string {
	return regexp.MustCompile(` +\d+\.\d(  |$)`).ReplaceAllString(line, " 0.0  ")
}

// The output must contain all shown lines, in order. Other lines may be only where the README has a gap.
func TestMissing(t *testing.T) {
	got := []string{"a", "b  1.5  x", "c", ""}
	for want, miss := range map[string]string{
		"a|b  22.0  x|c": "", "...|c": "", "a|...": "", "a|...|c": "",
		"a|c": "c", "b  1.5  x|...": "b  1.5  x", "a|b  1.5  x": "nothing more, but there is: c", "...|c|a": "a", "a|b  1.5  y|...": "b  1.5  y",
	} {
		assert.Equal(t, miss, missing(strings.Split(want, "|"), got), want)
	}
}
