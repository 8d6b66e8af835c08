package diff

import (
	"fmt"
	"strings"

	"contend/model"
	"contend/model/foreign/dump"
)

// Lines splits a text into lines, and each line at its first colon. A line without a colon is named by its
// number.
func Lines(text string) (all []dump.Line) {
	for i, l := range strings.Split(strings.TrimSpace(text), "\n") {
		name, is, labelled := strings.Cut(l, ": ")
		switch {
		case l == "":
			continue
		case !labelled && i == 0:
			name, is = "object", l
		case !labelled:
			name, is = fmt.Sprintf("object, line %d", i+1), l
		}
		all = append(all, dump.Line{Path: strings.TrimSpace(name), Is: model.Printable(strings.TrimSpace(is))})
	}
	return all
}
