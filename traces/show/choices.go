package show

import (
	"fmt"
	"strings"

	"contend/model/world"
)

// mostChoices is the largest number of choices with one text and range that are listed one a line.
const mostChoices = 3

// choiceLines lists the choices of a step. If there are more than mostChoices with one text and range, they share
// the line of the first. A program, for example, chooses at every operation whether its goroutine yields.
func choiceLines(choices []world.Choice) (lines []string) {
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
		switch results := all[key]; {
		case results == nil:
		case len(results) <= mostChoices:
			lines = append(lines, fmt.Sprintf("%ss %d of 0…%d", c.What, c.Is, c.Of-1))
		default:
			lines = append(lines, fmt.Sprintf("%ss %d times of 0…%d: %s, …", c.What, len(results), c.Of-1, strings.Join(results[:mostChoices], ", ")))
			delete(all, key)
		}
	}
	return lines
}
