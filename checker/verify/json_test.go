package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// property is a part of docs/json.schema.json, as far as the page about it needs it.
type property struct {
	Title, Description string
	Type               any
	Ref                string `json:"$ref"`
	Const              any
	Enum               []string
	Properties         map[string]property
	Required           []string
	Items              *property
	AnyOf              []property
}

// kinds are what the tool prints, in the order of the page; the others are parts of them.
var kinds = []string{"row", "claim", "config", "faults", "from", "merged", "cost", "reading", "mutant", "edit", "mutation", "held", "stale", "point", "fit", "line", "power", "estimate", "statement", "cell", "numbers", "decided", "selftest", "version", "protocol", "decides", "progress", "violation", "end"}

// docs/json.md says what docs/json.schema.json says, for people; -update writes it.
func TestJSONPage(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var schema struct {
		Defs map[string]property `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &schema))
	page := strings.Builder{}
	page.WriteString(jsonHead)
	for _, kind := range kinds {
		section(&page, "## "+kind, schema.Defs[kind])
		delete(schema.Defs, kind)
	}
	assert.Empty(t, schema.Defs, "these are not on the page")
	path := filepath.Join(filepath.Dir(schemaFile), "json.md")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(page.String()), 0o644))
	}
	is, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, page.String(), string(is), "go test ./checker/verify -run TestJSONPage -update writes it")
}

const jsonHead = `# JSON

With --json each verb prints one object a line on stdout, and nothing else there. The objects are a contract, whose
number is their field ` + "`schema`" + `: as long as it is 1, a field keeps its meaning and stays; fields may be added, so
a reader passes over those that it does not know. [json.schema.json](json.schema.json) is the same as a JSON Schema
(draft 2020-12), against which the tests hold what the tool prints; this page is written from it. An optional field is left
out where it would say nothing.

A line of ` + "`verify check`" + ` and of ` + "`verify run`" + ` is a row, with --costs a cost, of ` + "`verify mutants`" + ` a mutant, of ` + "`verify mutate`" + ` an edit, and a mutation in the end, of ` + "`verify table`" + ` a
cell, of ` + "`verify measure`" + ` a point, a fit or a statement, as its field ` + "`kind`" + ` says; ` + "`verify selftest`" + ` and ` + "`verify version`" + ` print one object, ` + "`verify list`" + ` one for each protocol, and
with --decides one for each cell of its table. The file of --progress-file has lines of its own: progress, violation and end, as their field ` + "`kind`" + ` says.
`

// section writes what there is to know of one kind of object.
func section(page *strings.Builder, heading string, p property) {
	fmt.Fprintf(page, "\n%s\n\n%s\n\n| field | type | meaning |\n|---|---|---|\n", heading, p.Description)
	fields(page, "", p)
}

func fields(page *strings.Builder, under string, p property) {
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		f := p.Properties[name]
		meaning := f.Description
		if len(f.Enum) > 0 {
			meaning += "; one of " + strings.ReplaceAll(fmt.Sprintf("%q", f.Enum), `" "`, `", "`)
		}
		if !slices.Contains(p.Required, name) {
			meaning += " (optional)"
		}
		fmt.Fprintf(page, "| `%s%s` | %s | %s |\n", under, name, typeOf(f), strings.ReplaceAll(meaning, "|", `\|`))
		if f.Items != nil && f.Items.Properties != nil {
			fields(page, under+name+"[].", *f.Items)
		}
	}
}

// typeOf names the type of a field.
func typeOf(f property) string {
	switch {
	case len(f.AnyOf) > 0:
		return typeOf(f.AnyOf[0]) + " or null"
	case f.Ref != "":
		name := strings.TrimPrefix(f.Ref, "#/$defs/")
		return fmt.Sprintf("[%s](#%s)", name, name)
	case f.Const != nil:
		return fmt.Sprintf("`%v`", f.Const)
	case f.Items != nil && f.Items.Ref != "":
		return "list of " + typeOf(*f.Items)
	case f.Items != nil:
		return fmt.Sprintf("list of %v", f.Items.Type)
	}
	return fmt.Sprint(f.Type)
}

// The schema describes every field: one that it does not know, or that is missing, is refused.
func TestSchemaIsStrict(t *testing.T) {
	var out strings.Builder
	require.Zero(t, Run(suite, []string{"version", "--json"}, &out, io.Discard))
	text := strings.TrimSpace(out.String())
	for change, ok := range map[string]bool{"": true, `,"more":1`: false, `,"schema":2`: false} {
		object, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.TrimSuffix(text, "}") + change + "}"))
		require.NoError(t, err)
		assert.Equal(t, ok, described("version").Validate(object) == nil, change)
	}
	object, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(text, `"go":`, `"went":`, 1)))
	require.NoError(t, err)
	assert.Error(t, described("version").Validate(object))
}
