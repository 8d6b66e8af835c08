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
var kinds = []string{"row", "claim", "config", "faults", "from", "found", "merged", "minimized", "minimal", "cost", "reading", "mutant", "catch", "try", "bounds", "reach", "edit", "choice", "mutation", "held", "stale", "point", "fit", "line", "power", "estimate", "statement", "cell", "numbers", "decided", "selftest", "version", "protocol", "decides", "progress", "violation", "end", "validation", "stuck", "broken", "coverage", "counted", "driven", "suite", "difference", "live", "happened"}

// docs/json.md says what docs/json.schema.json says, for people; -update writes it.
func TestJSONPage(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
	require.NoError(t, err)
	var schema struct {
		Defs map[string]property `json:"$defs"`
	}
	require.NoError(t, json.Unmarshal(text, &schema))
	page := jsonPage{shared: everywhere(schema.Defs)}
	page.WriteString(jsonHead)
	page.fields("common fields", "", property{Properties: page.shared, Required: slices.Collect(maps.Keys(page.shared))})
	for _, kind := range kinds {
		page.section(kind, schema.Defs[kind])
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
does not know. An optional field is absent if it would say nothing. This page is generated from [json.schema.json](json.schema.json), a JSON Schema
(draft 2020-12); tests compare it with what the tool prints.

| verb | objects |
|---|---|
| ` + "`check`, `run`" + ` | [row](#row) |
| ` + "`check --costs`" + ` | [cost](#cost) |
| ` + "`minimize`" + ` | [minimal](#minimal) |
| ` + "`mutants`" + ` | [mutant](#mutant) |
| ` + "`mutants --strategies`" + ` | [catch](#catch), and with ` + "`--states`" + ` [reach](#reach) |
| ` + "`mutate`" + ` | [edit](#edit), with ` + "`--rows`" + ` [choice](#choice), and one [mutation](#mutation) at the end |
| ` + "`table`" + ` | [cell](#cell) |
| ` + "`measure`" + ` | [point](#point), [fit](#fit) and [statement](#statement) |
| ` + "`selftest`, `version`" + ` | [selftest](#selftest), [version](#version) |
| ` + "`list`, `list --decides`" + ` | [protocol](#protocol), [decides](#decides) |
| the file of ` + "`--progress-file`" + ` | [progress](#progress), [violation](#violation) and [end](#end) |

Where a verb prints several kinds of objects, each has a field ` + "`kind`" + `: the name of its section here. The other sections are parts of these objects.

## Common fields

Sections refer to these fields.

`

// jsonPage is the page as it is written.
type jsonPage struct {
	strings.Builder
	shared map[string]property // fields that are the same in many kinds of objects, by name
	told   []values
}

// values are those that a field can have, and the section that lists them.
type values struct {
	section string
	enum    []string
}

// everywhere are fields that are the same in many kinds of objects, by name, and always there.
func everywhere(defs map[string]property) map[string]property {
	const many = 3
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
func (page *jsonPage) section(kind string, p property) {
	fmt.Fprintf(page, "\n## %s\n\n%s", kind, p.Description)
	own := property{Properties: maps.Clone(p.Properties), Required: p.Required}
	if own.Properties["kind"].Const == kind {
		delete(own.Properties, "kind")
	}
	var shared []string
	for _, name := range slices.Sorted(maps.Keys(page.shared)) {
		if reflect.DeepEqual(own.Properties[name], page.shared[name]) && slices.Contains(p.Required, name) {
			shared = append(shared, "`"+name+"`")
			delete(own.Properties, name)
		}
	}
	if len(shared) > 0 {
		fmt.Fprintf(page, " [Common fields](#common-fields): %s.", strings.Join(shared, ", "))
	}
	page.WriteString("\n\n")
	page.fields(kind, "", own)
}

func (page *jsonPage) fields(section, under string, p property) {
	var told []string // lists whose objects are described
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		f := p.Properties[name]
		kind, meaning := typeOf(f), f.Description+page.valuesOf(section, f.Enum)
		if !slices.Contains(p.Required, name) {
			kind += ", optional"
		}
		like := slices.IndexFunc(told, func(other string) bool { return reflect.DeepEqual(f.Items, p.Properties[other].Items) })
		if f.Items != nil && like >= 0 {
			meaning += "; its objects are like those of `" + under + told[like] + "`"
		}
		switch meaning {
		case "", "the " + name: // says nothing
			meaning = ""
		default:
			meaning = ": " + meaning
		}
		fmt.Fprintf(page, "- `%s%s` (%s)%s\n", under, name, kind, meaning)
		if f.Items != nil && f.Items.Properties != nil && like < 0 {
			told = append(told, name)
			page.fields(section, under+name+"[].", *f.Items)
		}
	}
}

// valuesOf lists the values of a field, or says where the page has listed them.
func (page *jsonPage) valuesOf(section string, enum []string) string {
	if len(enum) == 0 {
		return ""
	}
	if i := slices.Index(enum, ""); i >= 0 {
		return ", or empty" + page.valuesOf(section, slices.Delete(slices.Clone(enum), i, i+1))
	}
	for _, v := range page.told {
		more := slices.DeleteFunc(slices.Clone(enum), func(s string) bool { return slices.Contains(v.enum, s) })
		if len(more) == 0 && len(enum) > 2 && v.section != section {
			return fmt.Sprintf(", as in [%s](#%s)", v.section, strings.ReplaceAll(v.section, " ", "-"))
		}
	}
	page.told = append(page.told, values{section, enum})
	return ": `" + strings.Join(enum, "`, `") + "`"
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
	if either, ok := f.Type.([]any); ok {
		return fmt.Sprintf("%v or %v", either[0], either[1])
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
