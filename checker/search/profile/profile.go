// Package profile reports which components multiply the states of a search.
package profile

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"contend/checker/search/component"
	"contend/checker/search/step"
	"contend/model"
	"contend/model/describe"
	"contend/model/shape"
	"contend/model/wrapped"
)

// A Search is the search of a profile.
type Search struct {
	*step.Engine
	Lookups int64   // number of lookups of handlers' results
	Misses  int64   // number of lookups that missed the workers' memos
	Widths  []int64 // by layer: number of states
}

// Text returns the profile: the number of distinct states of each node and monitor, of values of each field,
// and of distinct pending messages, timers and holds of each type, with their remaining times; and the width of
// each layer.
func (x *Search) Text() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	fmt.Fprintf(w, "handler runs\t%d\tcache hits\t%.4f%%\n", x.Calls, 100*(1-float64(x.Misses)/float64(max(x.Lookups, 1))))
	fmt.Fprintf(w, "distinct\tlocal states %d\tpending parts %d\tmessages and keys %d\n\n",
		len(x.Locals.Items)-1, len(x.Parts.Items)-1, len(x.Values.Items))
	fmt.Fprintln(w, "NODE OR MONITOR\tDISTINCT STATES\tVALUES OF EACH FIELD")
	for slot := range x.Protos {
		x.profileSlot(w, slot)
	}
	x.profilePages(w)
	x.profileSplits(w)
	fmt.Fprintln(w, "\nPENDING\tDISTINCT\tWITH TIMES")
	x.profilePending(w)
	_ = w.Flush()
	b.WriteString(widths(x.Widths))
	return b.String()
}

// widths returns the number of states of each layer, in lines of ten layers, or of five if numbers are long.
func widths(states []int64) string {
	cell := len(fmt.Sprint(slices.Max(append(states, 0))))
	each := 10
	if 10*(cell+1) > 90 {
		each = 5
	}
	out := "\nDEPTH  STATES AT THAT DEPTH, AND AT THOSE THAT FOLLOW"
	for depth, n := range states {
		if depth%each == 0 {
			out += fmt.Sprintf("\n%-6d", depth)
		}
		out += fmt.Sprintf(" %*d", cell, n)
	}
	return out + "\n"
}

func (x *Search) profileSlot(w *tabwriter.Writer, slot int) {
	if x.Protos[slot] == nil {
		return
	}
	fields := map[string]map[string]bool{}
	states := 0
	for _, l := range x.Locals.Items {
		if int(l.Slot) == slot {
			states++
			countFields(fields, "", reflect.ValueOf(x.Codec.DecodeNode(x.Protos[slot], []byte(l.Bytes))).Elem())
		}
	}
	var parts []string
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		parts = append(parts, fmt.Sprintf("%s %d", f, len(fields[f])))
	}
	name := fmt.Sprintf("%T", x.Protos[slot])
	if slot < x.N {
		name = x.Sys.Name(model.NodeID(slot))
	}
	lines := joinLines(parts)
	fmt.Fprintf(w, "%s\t%d\t%s\n", name, states, lines[0])
	for _, line := range lines[1:] {
		fmt.Fprintf(w, "\t\t%s\n", line)
	}
}

// joinLines joins items by commas, in lines of at most 60 runes where possible; at least one line.
func joinLines(items []string) []string {
	lines := []string{""}
	for i, item := range items {
		if i < len(items)-1 {
			item += ","
		}
		last := &lines[len(lines)-1]
		if *last != "" && utf8.RuneCountInString(*last+" "+item) > 60 {
			lines = append(lines, item)
			continue
		}
		*last = strings.TrimLeft(*last+" "+item, " ")
	}
	return lines
}

// Limits: states of a node that are compared, and reported parts of them.
const maxCompared, maxSplits = 2000, 15

// profileSplits writes which parts distinguish the states of foreign nodes, whose states have more than their
// fields.
func (x *Search) profileSplits(w *tabwriter.Writer) {
	for slot, proto := range x.Protos {
		node, splits := proto.(wrapped.Splitter)
		if !splits {
			continue
		}
		var states []model.Node
		for _, l := range x.Locals.Items {
			if int(l.Slot) == slot && len(states) < maxCompared {
				states = append(states, x.Codec.DecodeNode(proto, []byte(l.Bytes)))
			}
		}
		writeSplits(w, x.Sys.Name(model.NodeID(slot)), node.Splits(states))
	}
}

// writeSplits writes the parts that alone distinguish states, or that no View shows.
func writeSplits(w *tabwriter.Writer, node string, s wrapped.Splits) {
	if len(s.Parts) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s: WHAT SPLITS ITS STATES\tVALUES\tSTATES WITHOUT IT, OF %d\tDIFFERS IN\n", node, s.States)
	hides, told := false, 0
	for _, p := range s.Parts {
		in := "Views"
		if p.Hidden {
			in, hides = "no View", true
		}
		if (p.Hidden || p.Without < s.States) && told < maxSplits {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\n", p.Path, p.Values, p.Without, in)
			told++
		}
	}
	if hides {
		fmt.Fprintf(w, "all that differ in no View\t\t%d\t\n", s.Shown)
	}
	if rest := len(s.Parts) - told; rest > 0 {
		fmt.Fprintf(w, "and %d more\n", rest)
	}
}

// countFields adds the value of each exported field of a node, and of nodes within it, to seen.
func countFields(seen map[string]map[string]bool, prefix string, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Type.Kind() == reflect.Struct && shape.IsNode(f.Type) {
			countFields(seen, prefix+f.Name+".", v.Field(i))
			continue
		}
		name := prefix + f.Name
		if seen[name] == nil {
			seen[name] = map[string]bool{}
		}
		seen[name][describe.Value(v.Field(i).Interface(), nil)] = true
	}
}

func (x *Search) profilePending(w *tabwriter.Writer) {
	bases, parts := map[string]int{}, map[string]int{}
	counted := map[uint32]bool{}
	for id := range x.Parts.Items[1:] {
		f := x.Store.Flats[id+1]
		b := x.Store.Bases.Items[f.Base]
		name := kindName(f.Kind)
		if v := x.Decoded(b.Value); v != nil {
			name += fmt.Sprintf(" %T", v)
		}
		parts[name]++
		if !counted[f.Base] {
			counted[f.Base] = true
			bases[name]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bases)) {
		fmt.Fprintf(w, "%s\t%d\t%d\n", name, bases[name], parts[name])
	}
}

func kindName(k component.Kind) string {
	switch k {
	case component.Hold:
		return "hold"
	case component.Delivered:
		return "delivered"
	case component.Stored:
		return "stored"
	}
	return model.EventKind(k).String()
}
