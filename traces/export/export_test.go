package export_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"contend/checker/judge"
	"contend/impl"
	"contend/model"
	"contend/model/world"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/export"
	"contend/traces/replay"
)

var full = flag.Bool("full", false, "take all kept runs, and not each eighth")

// kept runs a test for each stored run.
func kept(t *testing.T, test func(t *testing.T, run *replay.Run)) {
	files, err := filepath.Glob("../testdata/*.json")
	require.NoError(t, err)
	seen := 0
	for k, file := range files {
		if k%8 != 0 && !*full {
			continue
		}
		tr, err := traces.Load(file)
		require.NoError(t, err, file)
		i := slices.IndexFunc(impl.Suite, func(p *model.Protocol) bool { return p.Name == tr.Protocol })
		if i < 0 {
			continue
		}
		run, err := replay.Replay(impl.Suite[i], tr, judge.Watched(impl.Suite[i].Statements()))
		require.NoError(t, err, file)
		t.Run(filepath.Base(file), func(t *testing.T) { test(t, run) })
		seen++
	}
	require.Positive(t, seen)
}

// A state of ITF has its index and exactly the variables that the trace declares, and no key with a # but the
// format's own. In the last state the network has the messages in flight.
func TestITF(t *testing.T) {
	kept(t, func(t *testing.T, run *replay.Run) {
		var b bytes.Buffer
		require.NoError(t, export.ITF(&b, run))
		var got struct {
			Meta   map[string]any `json:"#meta"`
			Vars   []string
			States []map[string]any
		}
		require.NoError(t, json.Unmarshal(b.Bytes(), &got))
		require.Equal(t, "ITF", got.Meta["format"])
		require.Len(t, got.States, len(run.Records)+1)
		for i, s := range got.States {
			require.Equal(t, map[string]any{"index": float64(i)}, s["#meta"])
			require.Len(t, s, len(got.Vars)+1)
			for _, v := range got.Vars {
				require.Contains(t, s, v)
				proper(t, s[v])
			}
		}
		inFlight := slices.DeleteFunc(run.World.Pending(), func(e *world.Event) bool { return e.Kind != model.Deliver || e.Optional })
		require.Len(t, got.States[len(got.States)-1]["network"], len(inFlight))
	})
}

// proper checks that a value is valid in the format: keys with # are alone, integers are integers, maps are
// lists of pairs with distinct keys, and there are no plain numbers.
func proper(t *testing.T, v any) {
	switch v := v.(type) {
	case float64, nil:
		t.Errorf("%v stands as a plain number, or null", v)
	case []any:
		for _, x := range v {
			proper(t, x)
		}
	case map[string]any:
		for k, x := range v {
			if strings.HasPrefix(k, "#") {
				require.Contains(t, []string{"#map", "#tup", "#bigint"}, k)
				require.Len(t, v, 1)
				properly(t, k, x)
			}
			proper(t, x)
		}
	}
}

var integer = regexp.MustCompile(`^-?(0|[1-9][0-9]*)$`)

// properly checks a value with a key of the format.
func properly(t *testing.T, key string, is any) {
	switch key {
	case "#bigint":
		require.Regexp(t, integer, is)
	case "#tup":
		require.IsType(t, []any{}, is)
	case "#map":
		seen := map[string]bool{}
		for _, entry := range is.([]any) {
			require.Len(t, entry, 2)
			k, err := json.Marshal(entry.([]any)[0])
			require.NoError(t, err)
			require.False(t, seen[string(k)], "%s is a key twice", k)
			seen[string(k)] = true
		}
	}
}

// A log of ShiViz matches its pattern. The events of a host count from 1 on the host's clock, and no event
// knows of a later event.
func TestShiViz(t *testing.T) {
	pattern := regexp.MustCompile(`(?P<host>\S*) (?P<clock>{.*})\n(?P<event>.*)`)
	kept(t, func(t *testing.T, run *replay.Run) {
		var b bytes.Buffer
		require.NoError(t, export.ShiViz(&b, draw.New(run)))
		now := map[string]int{}
		rest := b.String()
		for rest != "" {
			at := pattern.FindStringSubmatchIndex(rest)
			require.NotNil(t, at)
			require.Zero(t, at[0], "nothing is between two events")
			host := rest[at[2]:at[3]]
			var clock map[string]int
			require.NoError(t, json.Unmarshal([]byte(rest[at[4]:at[5]]), &clock))
			now[host]++
			require.Equal(t, now[host], clock[host])
			for other, n := range clock {
				require.LessOrEqual(t, n, now[other])
			}
			require.NotEmpty(t, rest[at[6]:at[7]])
			rest = strings.TrimPrefix(rest[at[1]:], "\n")
		}
		require.Len(t, now, len(run.World.System.Nodes))
	})
}
