package search

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"

	"contend/model"
	"contend/model/value"
)

// profile tells what splits states: how many distinct states each node and monitor
// was in, how many values each field took, how many distinct messages, timers and
// holds of each type were pending, with how many different remaining times, and how
// wide the search was at each depth.
func (x *explorer) profile() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 8, 2, ' ', 0)
	lookups, asked := int64(0), int64(0)
	for _, s := range x.workers {
		lookups += s.lookups
		asked += int64(len(s.reactions))
	}
	fmt.Fprintf(w, "handler runs\t%d\tcache hits\t%.4f%%\n", x.calls, 100*(1-float64(asked)/float64(max(lookups, 1))))
	fmt.Fprintf(w, "distinct\tlocal states %d\tpending parts %d\tmessages and keys %d\n\n",
		len(x.locals.items)-1, len(x.parts.items)-1, len(x.values.items))
	fmt.Fprintln(w, "NODE OR MONITOR\tDISTINCT STATES\tVALUES OF EACH FIELD")
	for slot := range x.protos {
		x.profileSlot(w, slot)
	}
	fmt.Fprintln(w, "\nPENDING\tDISTINCT\tWITH TIMES")
	x.profilePending(w)
	fmt.Fprintf(w, "\nWIDTH AT EACH DEPTH\n")
	_ = w.Flush()
	fmt.Fprintln(&b, strings.Trim(fmt.Sprint(x.res.Widths), "[]"))
	return b.String()
}

func (x *explorer) profileSlot(w *tabwriter.Writer, slot int) {
	if x.protos[slot] == nil {
		return
	}
	fields := map[string]map[string]bool{}
	states := 0
	for _, l := range x.locals.items {
		if int(l.slot) == slot {
			states++
			countFields(fields, "", reflect.ValueOf(x.codec.DecodeNode(x.protos[slot], []byte(l.bytes))).Elem())
		}
	}
	var parts []string
	for _, f := range slices.Sorted(maps.Keys(fields)) {
		parts = append(parts, fmt.Sprintf("%s %d", f, len(fields[f])))
	}
	name := fmt.Sprintf("%T", x.protos[slot])
	if slot < x.n {
		name = x.sys.Name(model.NodeID(slot))
	}
	fmt.Fprintf(w, "%s\t%d\t%s\n", name, states, strings.Join(parts, ", "))
}

// countFields notes the value of each exported field of a node, and of the nodes
// within it.
func countFields(seen map[string]map[string]bool, prefix string, v reflect.Value) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if !f.IsExported() {
			continue
		}
		if f.Type.Kind() == reflect.Struct && value.IsNode(f.Type) {
			countFields(seen, prefix+f.Name+".", v.Field(i))
			continue
		}
		name := prefix + f.Name
		if seen[name] == nil {
			seen[name] = map[string]bool{}
		}
		seen[name][value.Format(v.Field(i).Interface(), nil)] = true
	}
}

func (x *explorer) profilePending(w *tabwriter.Writer) {
	bases, parts := map[string]int{}, map[string]int{}
	counted := map[uint32]bool{}
	for id := range x.parts.items[1:] {
		f := x.store.flats[id+1]
		b := x.store.bases.items[f.base]
		name := fmt.Sprintf("%s %T", kindName(f.kind), x.decoded(b.value))
		parts[name]++
		if !counted[f.base] {
			counted[f.base] = true
			bases[name]++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(bases)) {
		fmt.Fprintf(w, "%s\t%d\t%d\n", name, bases[name], parts[name])
	}
}

func kindName(k kind) string {
	switch k {
	case hold:
		return "hold"
	case delivered:
		return "delivered"
	}
	return model.EventKind(k).String()
}
