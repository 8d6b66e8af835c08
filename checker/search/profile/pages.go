package profile

import (
	"fmt"
	"text/tabwriter"

	"contend/model"
)

// profilePages writes, for each monitor that follows a page, the number of states that the page may be in: the
// minimum, the mean and the maximum over the distinct sets.
func (x *Search) profilePages(w *tabwriter.Writer) {
	title := "\nSTATES IN WHICH A PAGE MAY BE\tSETS\tLEAST, MEAN, MOST\n"
	for slot, proto := range x.Protos {
		if _, follows := proto.(model.Follower); !follows {
			continue
		}
		sets, least, most, sum := 0, 0, 0, 0
		for _, l := range x.Locals.Items {
			if int(l.Slot) != slot {
				continue
			}
			n := x.Codec.DecodeNode(proto, []byte(l.Bytes)).(model.Follower).Follows()
			if sets == 0 || n < least {
				least = n
			}
			sets, most, sum = sets+1, max(most, n), sum+n
		}
		fmt.Fprintf(w, "%s%s\t%d\t%d, %.1f, %d\n", title, x.ClaimOf(int16(slot)).Name, sets, least, float64(sum)/float64(max(sets, 1)), most)
		title = ""
	}
}
