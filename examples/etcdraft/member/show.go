package member

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"contend/model/foreign"
)

// Show returns the voters for a candidate, or a leader's knowledge of the others, in the library's own words.
func (p *Peer) Show() string {
	s := p.Node.Status()
	var lines []string
	if votes := *foreign.Field[map[uint64]bool](p, "Node.raft.trk.Votes"); len(votes) > 0 && s.Lead == 0 {
		lines = append(lines, fmt.Sprintf("votes: %v", votes))
	}
	for _, id := range slices.Sorted(maps.Keys(s.Progress)) {
		pr := s.Progress[id]
		lines = append(lines, fmt.Sprintf("progress of p%d: %v", id, &pr))
	}
	return strings.Join(lines, "\n")
}
