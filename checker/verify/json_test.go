package verify

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
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
var kinds = []string{"row", "claim", "config", "faults", "from", "found", "merged", "minimized", "minimal", "cost", "reading", "mutant", "catch", "try", "bounds", "reach", "edit", "mutation", "held", "stale", "point", "fit", "line", "power", "estimate", "statement", "cell", "numbers", "decided", "selftest", "version", "protocol", "decides", "progress", "violation", "end"}

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
	shared := everywhere(schema.Defs)
	fields(&page, "", property{Properties: shared, Required: slices.Collect(maps.Keys(shared))})
	for _, kind := range kinds {
		section(&page, "## "+kind, schema.Defs[kind], shared)
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

With ` + "`--json`" + ` each verb prints one JSON object a line on stdout, and nothing else there. The objects are a contract. Its version is
the field ` + "`schema`" + `: it changes when a field changes its meaning or is removed. New fields may be added, so a reader must ignore fields that it
does not know. An optional field is absent if it would say nothing. [json.schema.json](json.schema.json) says the same as a JSON Schema (draft
2020-12). Tests compare what the tool prints with it, and this page is generated from it.

| verb | objects |
|---|---|
| ` + "`check`, `run`" + ` | [row](#row) |
| ` + "`check --costs`" + ` | [cost](#cost) |
| ` + "`minimize`" + ` | one [minimal](#minimal) |
| ` + "`mutants`" + ` | [mutant](#mutant) |
| ` + "`mutants --strategies`" + ` | [catch](#catch), and with ` + "`--states`" + ` [reach](#reach), by ` + "`kind`" + ` |
| ` + "`mutate`" + ` | [edit](#edit), and one [mutation](#mutation) at the end, by ` + "`kind`" + ` |
| ` + "`table`" + ` | [cell](#cell) |
| ` + "`measure`" + ` | [point](#point), [fit](#fit) and [statement](#statement), by ` + "`kind`" + ` |
| ` + "`selftest`, `version`" + ` | one [selftest](#selftest), one [version](#version) |
| ` + "`list`, `list --decides`" + ` | [protocol](#protocol), [decides](#decides) |
| the file of ` + "`--progress-file`" + ` | [progress](#progress), [violation](#violation) and [end](#end), by ` + "`kind`" + ` |

## Common fields

Many objects have these fields. Their sections list them without a description.

| field | type | meaning |
|---|---|---|
`

// everywhere are fields that are the same in many kinds of objects, by name.
func everywhere(defs map[string]property) map[string]property {
	const many = 4
	all := map[string]property{}
	for _, kind := range kinds {
		for name, f := range defs[kind].Properties {
			has := func(kind string) bool {
				g, ok := defs[kind].Properties[name]
				return ok && reflect.DeepEqual(f, g) && slices.Contains(defs[kind].Required, name)
			}
			if n := len(slices.DeleteFunc(slices.Clone(kinds), func(kind string) bool { return !has(kind) })); n >= many {
				all[name] = f
			}
		}
	}
	return all
}

// section writes what there is to know of one kind of object, whose common fields it only names.
func section(page *strings.Builder, heading string, p property, everywhere map[string]property) {
	fmt.Fprintf(page, "\n%s\n\n%s", heading, p.Description)
	own := property{Properties: maps.Clone(p.Properties), Required: p.Required}
	var shared []string
	for _, name := range slices.Sorted(maps.Keys(everywhere)) {
		if reflect.DeepEqual(own.Properties[name], everywhere[name]) && slices.Contains(p.Required, name) {
			shared = append(shared, "`"+name+"`")
			delete(own.Properties, name)
		}
	}
	if len(shared) > 0 {
		fmt.Fprintf(page, " [Common fields](#common-fields): %s.", strings.Join(shared, ", "))
	}
	page.WriteString("\n\n| field | type | meaning |\n|---|---|---|\n")
	fields(page, "", own)
}

func fields(page *strings.Builder, under string, p property) {
	var told []string // lists whose objects are described
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		f := p.Properties[name]
		meaning := f.Description
		if len(f.Enum) > 0 {
			meaning += ": `" + strings.Join(f.Enum, "`, `") + "`"
		}
		if !slices.Contains(p.Required, name) {
			meaning += " (optional)"
		}
		like := slices.IndexFunc(told, func(other string) bool { return reflect.DeepEqual(f.Items, p.Properties[other].Items) })
		if f.Items != nil && like >= 0 {
			meaning += "; its objects are like those of `" + under + told[like] + "`"
		}
		fmt.Fprintf(page, "| `%s%s` | %s | %s |\n", under, name, typeOf(f), strings.ReplaceAll(meaning, "|", `\|`))
		if f.Items != nil && f.Items.Properties != nil && like < 0 {
			told = append(told, name)
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
