package mapping

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// entries returns the entries of a line as one text.
func entries(table, line string) (string, error) {
	t, err := Read([]byte(table))
	if err != nil {
		return "", err
	}
	all, err := t.Entries([]byte(line))
	return string(bytes.Join(all, []byte(" "))), err
}

// A line becomes the entry of its kind.
func TestEntries(t *testing.T) {
	for name, c := range map[string]struct{ table, line, want string }{
		"a field": {
			`{"kind": "k", "node": "$n", "entries": {"x": {"after": {"A": "$a.b"}}}}`,
			`{"k": "x", "n": "c1", "a": {"b": 12345678901234567890}}`,
			`{"after":{"A":12345678901234567890},"node":"c1"}`,
		},
		"an element of a list": {
			`{"kind": "k", "node": "$n.1", "ignore": ["n.0"], "entries": {"x": {}}}`, `{"k": "x", "n": ["c1", "c2"]}`, `{"node":"c2"}`,
		},
		"parts": {
			`{"kind": "k", "node": "c", "parts": {"p": {"A": "$a"}}, "entries": {"x": {"before": {"...": "@p", "B": 2}, "after": "@p"}}}`,
			`{"k": "x", "a": null}`, `{"after":{"A":null},"before":{"A":null,"B":2},"node":"c"}`,
		},
		"a case": {
			`{"kind": "k", "node": "c", "entries": {"x": {"receive": {"$case": "$m.t", "A": {"type": "One"}, "B": {"type": "Two", "value": "$m.v"}}}}}`,
			`{"k": "x", "m": {"t": "B", "v": true}}`, `{"node":"c","receive":{"type":"Two","value":true}}`,
		},
		"lists": {
			`{"kind": "k", "node": "c", "entries": {"x": {"choices": [{"$count": "$l"}, {"$each": "$l", "$do": ["$.a", {"$case": "$.b", "up": 1, "down": 0}]}]}}}`,
			`{"k": "x", "l": [{"a": 7, "b": "up"}, {"a": 8, "b": "down"}]}`, `{"choices":[2,7,1,8,0],"node":"c"}`,
		},
		"a field that is there": {
			`{"kind": "k", "node": "c", "entries": {"x": {"after": {"A": {"$field": "$a.b", "$else": []}}}}}`, `{"k": "x", "a": {"b": 1}}`, `{"after":{"A":1},"node":"c"}`,
		},
		"a field that is missing": {
			`{"kind": "k", "node": "c", "entries": {"x": {"after": {"A": {"$field": "$a.b", "$else": ["$k"]}}}}}`, `{"k": "x", "a": {}}`, `{"after":{"A":["x"]},"node":"c"}`,
		},
		"an object within": {
			`{"object": "o.p", "kind": "k", "node": "$n", "entries": {"x": {}}}`, `{"k": "y", "t": 1, "o": {"p": {"k": "x", "n": "c"}}}`, `{"node":"c"}`,
		},
		"no object within": {`{"object": "o.p", "kind": "k", "node": "$n", "entries": {"x": {}}}`, `{"k": "x", "n": "c", "o": {}}`, `{"node":"c"}`},
		"several entries": {
			`{"kind": "k", "node": "c", "entries": {"x": [{"alarm": 1}, {"alarm": 2}]}}`, `{"k": "x"}`, `{"alarm":1,"node":"c"} {"alarm":2,"node":"c"}`,
		},
		"none":             {`{"kind": "k", "node": "c", "entries": {"x": null}}`, `{"k": "x", "more": 1}`, ``},
		"signs":            {`{"kind": "k", "node": "$$c", "entries": {"x": {"a": "@@b"}}}`, `{"k": "x"}`, `{"a":"@b","node":"$c"}`},
		"ignored":          {`{"kind": "k", "node": "c", "ignore": ["t", "m.t"], "entries": {"x": {"$ignore": ["u"]}}}`, `{"k": "x", "t": {"a": 1}, "m": {"t": 1}, "u": 2}`, `{"node":"c"}`},
		"one kind":         {`{"node": "$n", "entries": {"": {"start": true}}}`, `{"n": "c"}`, `{"node":"c","start":true}`},
		"text":             {`{"kind": "k", "node": "$n", "text": ["^(?P<n>\\S+) (?P<k>\\w+)$"], "entries": {"x": {}}}`, `c1 x`, `{"node":"c1"}`},
		"text left out":    {`{"kind": "k", "node": "$n", "text": ["^(?P<n>\\S+) (?P<k>\\w+)$"], "others": "skip", "entries": {"x": {}}}`, `what else is there`, ``},
		"empty containers": {`{"kind": "k", "node": "c", "entries": {"x": {}}}`, `{"k": "x", "a": {}, "b": [], "c": {"d": [{}]}}`, `{"node":"c"}`},
	} {
		got, err := entries(c.table, c.line)
		require.NoError(t, err, name)
		assert.Equal(t, c.want, got, name)
	}
}

// What does not fit is refused in a sentence that names the field.
func TestRefusals(t *testing.T) {
	const good = `{"kind": "k", "node": "$n", "ignore": [], "entries": {"x": {"alarm": "$m.a", "send": {"$case": "$m.t", "A": {}}, "choices": [{"$each": "$l", "$do": "$"}]}}}`
	for _, c := range []struct{ table, line, want string }{
		{`[]`, ``, `json: cannot unmarshal array into Go value of type mapping.tableJSON`},
		{`{} {}`, ``, `the table has something after its object`},
		{`{"kinds": "k"}`, ``, `json: unknown field "kinds"`},
		{`{"kind": "k", "node": "c"}`, ``, `entries: the table has none`},
		{`{"node": "c", "entries": {"x": {}}}`, ``, `kind is missing; without it, the only name in entries is ""`},
		{`{"kind": "k", "node": "c", "others": "drop", "entries": {"x": {}}}`, ``, `others is "drop", but may only be skip`},
		{`{"kind": "k", "entries": {"x": {}}}`, ``, `node: the template is missing`},
		{`{"kind": "k", "node": "c", "entries": {"x": 3}}`, ``, `entries: x is not an object, a list of objects, or null`},
		{`{"kind": "k", "node": "c", "entries": {"x": {"a": "@p"}}}`, ``, `entries: x: a: parts have no "p"`},
		{`{"kind": "k", "node": "@p", "parts": {"p": "@p"}, "entries": {"x": {}}}`, ``, `node: templates are nested more than 32 deep`},
		{`{"kind": "k", "node": "c", "entries": {"x": {"a": {"$each": "$l"}}}}`, ``, `entries: x: a: $each needs $do, and no other member`},
		{`{"kind": "k", "node": "c", "entries": {"x": {"a": {"$field": "$l"}}}}`, ``, `entries: x: a: $field needs $else, and no other member`},
		{`{"object": "o", "kind": "k", "node": "c", "entries": {"x": {}}}`, `{"o": 1}`, `o is not an object`},
		{`{"object": "o", "kind": "k", "node": "c", "entries": {"x": {}}}`, `{"o": {"k": "x", "y": 1}}`, `field y is not read by the table; ignore names fields that are left out`},
		{`{"kind": "k", "node": "c", "entries": {"x": {"a": {"$count": "$l", "b": 1}}}}`, ``, `entries: x: a: $count has no other member, but there is "b"`},
		{`{"kind": "k", "node": "c", "entries": {"x": {"a": {"$case": "l"}}}}`, ``, `entries: x: a: $case is not "$" and a path`},
		{`{"kind": "k", "node": "c", "entries": {"x": {"$ignore": "l"}}}`, ``, `entries: x: $ignore is not a list of paths`},
		{`{"kind": "k", "node": "c", "text": ["("], "entries": {"x": {}}}`, ``, "text: error parsing regexp: missing closing ): `(`"},
		{`{"kind": "k", "node": "c", "text": ["^a$"], "entries": {"x": {}}}`, `b`, `"b" fits no expression of the table`},
		{good, `3`, `"3" is not a JSON object`},
		{good, `{} {}`, `there is something after the JSON object`},
		{good, `{"a": 1}`, `field k is missing`},
		{good, `{"k": 1}`, `k is not a string`},
		{good, `{"k": "y"}`, `k is "y", and the table has no entry for it`},
		{good, `{"k": "x"}`, `field n is missing`},
		{good, `{"k": "x", "n": "c", "m": 3}`, `field m.a is missing`},
		{good, `{"k": "x", "n": "c", "m": {"a": 1, "t": "B"}, "l": []}`, `m.t is "B", and the table has no case for it`},
		{good, `{"k": "x", "n": "c", "m": {"a": 1, "t": "A"}, "l": 1}`, `l is not a list`},
		{good, `{"k": "x", "n": "c", "m": {"a": 1, "t": "A", "z": 1}, "l": [], "y": 1}`, `field m.z is not read by the table; ignore names fields that are left out`},
		{good, `{"k": "x", "n": "c", "m": {"a": 1, "t": "A"}, "l": [` + strings.Repeat("1,", 1<<16) + `1]}`, `the entries of the line have more than 65536 values`},
	} {
		_, err := entries(c.table, c.line)
		assert.EqualError(t, err, c.want, c.table+c.line[:min(len(c.line), 60)])
	}
}

// A field that only the template of another case reads is not read.
func TestUnreadInThisCase(t *testing.T) {
	const table = `{"kind": "k", "node": "c", "entries": {"x": {"$case": "$t", "A": {"alarm": "$a"}, "B": {}}}}`
	read, err := Read([]byte(table))
	require.NoError(t, err)
	_, err = read.Entries([]byte(`{"k": "x", "t": "A", "a": 1}`))
	require.NoError(t, err)
	_, err = read.Entries([]byte(`{"k": "x", "t": "B", "a": 1}`))
	assert.EqualError(t, err, "field a is not read by the table; ignore names fields that are left out")
}

// Any table and line is refused or becomes JSON objects with a node.
func FuzzTable(f *testing.F) {
	f.Add(`{"kind": "k", "node": "$n", "ignore": ["t"], "parts": {"p": {"A": "$a"}}, "entries": {"x": {"before": {"...": "@p"}, "choices": [{"$count": "$l"}, {"$each": "$l", "$do": ["$.a"]}]}}}`,
		`{"k": "x", "n": "c", "a": 1, "l": [{"a": 2}], "t": 0}`)
	f.Add(`{"node": "$n", "text": ["^(?P<n>\\S+)"], "others": "skip", "entries": {"": {"$case": "$n", "c": {}}}}`, `c d`)
	f.Add(`{"object": "o", "kind": "k", "node": "c", "entries": {"x": {"after": {"A": {"$field": "$a.b", "$else": []}}}}}`, `{"o": {"k": "x"}}`)
	f.Fuzz(func(t *testing.T, table, line string) {
		read, err := Read([]byte(table))
		if err != nil {
			return
		}
		for range 2 {
			all, err := read.Entries([]byte(line))
			for _, one := range all {
				var members map[string]json.RawMessage
				require.NoError(t, json.Unmarshal(one, &members))
				require.Contains(t, members, "node")
			}
			require.True(t, err == nil || len(all) == 0)
		}
	})
}
