package variant

import (
	"math/bits"
	"slices"
	"strings"

	"contend/model"
)

// MaxEdits is the largest number of edits of one page.
const MaxEdits = 64

// A Page is the text of the nodes of a protocol, with the edits that its variants make. The command contend-edits generates the file that
// declares the page of a package: see package contend/checker/edits.
type Page struct {
	numbers map[string]int
	edited  func(n model.Node, edit int) model.Node
}

// NewPage returns the page with the edits. Each edit is a list of pairs as in [Page.Edit]. The function
// edited returns the node that runs the edit with a number instead of n, or nil if the edit changes no method
// of n. Only generated files call NewPage.
func NewPage(edited func(n model.Node, edit int) model.Node, edits ...[]string) *Page {
	p := &Page{map[string]int{}, edited}
	for number, pairs := range edits {
		p.numbers[key(pairs)] = number
	}
	return p
}

func key(pairs []string) string { return strings.Join(pairs, "\x00") }

// Edit returns an edit of a system. After it each node runs the page with some texts replaced. The arguments
// are literals, in pairs: an old text and a new text. An old text occurs once in the methods of the nodes.
// Spaces, line breaks and comments within an old text do not matter. Edit panics if the generated file does
// not have the edit.
func (p *Page) Edit(pairs ...string) func(*model.System) {
	number, known := p.numbers[key(pairs)]
	if !known {
		panic("the generated file does not have this edit; run go generate: " + strings.Join(pairs, " → "))
	}
	return replacing(func(n model.Node) model.Node { return p.edited(n, number) })
}

// Edits is a set of edits of a page, by number. The zero value is the unedited page.
type Edits uint64

// Has reports whether the edit of a number is in the set.
func (e Edits) Has(n int) bool { return e>>n&1 == 1 }

// With returns the set with one more edit. The methods that each edit changes are in changes, by the edit's number. Two edits of one method
// cannot be joined: With then calls [model.Misused].
func (e Edits) With(n int, changes [][]string) Edits {
	for rest := e; rest != 0; rest &= rest - 1 {
		other := bits.TrailingZeros64(uint64(rest))
		for _, method := range changes[n] {
			if slices.Contains(changes[other], method) {
				model.Misused("the variant joins two edits of %s", method)
			}
		}
	}
	return e | 1<<n
}
