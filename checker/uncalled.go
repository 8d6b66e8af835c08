package checker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Uncalled says in a sentence which handlers of a protocol's nodes no run of any of its rows calls, as far as the
// rows know: no verdict is about what these do. It is "" where there are none.
func Uncalled(rows []*Row) string {
	called := map[string]bool{}
	for _, row := range rows {
		for name, ran := range row.Handlers {
			called[name] = called[name] || ran
		}
	}
	maps.DeleteFunc(called, func(_ string, ran bool) bool { return ran })
	if len(called) == 0 {
		return ""
	}
	do := map[bool]string{true: "it does", false: "they do"}[len(called) == 1]
	return fmt.Sprintf("No run that was searched calls %s, so no verdict is about what %s.", strings.Join(slices.Sorted(maps.Keys(called)), ", "), do)
}
