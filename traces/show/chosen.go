package show

import (
	"fmt"
	"strings"

	"contend/model/world"
)

// mostChoices is how many choices of one range a step lists, a line each.
const mostChoices = 3

// chosen lists the choices of a step. Those of one range become a line if there are many, as where a program asks at every operation whether a
// goroutine gives way. The line stands for the first of them.
func chosen(choices []world.Choice) (lines []string) {
	type of struct {
		what string
		of   int
	}
	all := map[of][]string{}
	for _, c := range choices {
		all[of{c.What, c.Of}] = append(all[of{c.What, c.Of}], fmt.Sprint(c.Is))
	}
	for _, c := range choices {
		key := of{c.What, c.Of}
		switch is := all[key]; {
		case is == nil:
		case len(is) <= mostChoices:
			lines = append(lines, fmt.Sprintf("%ss %d of 0…%d", c.What, c.Is, c.Of-1))
		default:
			lines = append(lines, fmt.Sprintf("%ss %d times of 0…%d: %s, …", c.What, len(is), c.Of-1, strings.Join(is[:mostChoices], ", ")))
			delete(all, key)
		}
	}
	return lines
}
