package compare

import (
	"fmt"

	"contend/lab/disks"
)

// Disks counts the disks that were compared with their model.
type Disks struct {
	Compared int `json:"compared"`
	Images   int `json:"images"` // states after crashes
}

// disk compares the disk of a seed with its model.
func (c *Comparison) disk(seed uint64) {
	r := disks.Compare(seed)
	c.Disks = Disks{1, r.Images}
	for _, p := range r.Problems {
		c.Problems = append(c.Problems, fmt.Sprintf("seed %d: a disk with %s: %s", seed, r.About, p))
	}
}

// Add adds counts.
func (n *Disks) Add(m Disks) {
	n.Compared += m.Compared
	n.Images += m.Images
}
