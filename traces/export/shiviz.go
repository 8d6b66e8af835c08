// Package export writes runs in formats that other tools open: ITF, the trace format of Apalache
// and Quint (itf.go), and the logs of ShiViz (shiviz.go).
package export

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"contend/traces/draw"
	"contend/traces/replay"
)

// ShiVizPattern is the regular expression with which ShiViz is to read the log, in its own
// notation.
const ShiVizPattern = `(?<host>\S*) (?<clock>{.*})\n(?<event>.*)`

// ShiViz writes a run as a log of ShiViz: two lines for each event, the first with the host and
// its vector clock. The hosts are the nodes; each begins with an event of its own, since it may send
// messages as it starts. What happens at no node, such as a cut of the network, is left out.
func ShiViz(w io.Writer, run *replay.Run) error { return ShiVizOf(w, draw.Of(run)) }

// ShiVizOf is ShiViz of a run whose diagram is known.
func ShiVizOf(w io.Writer, d *draw.Diagram) error {
	c := clocks{d: d, hosts: hosts(d.Lanes), ends: d.Ends(), at: make([]map[string]int, len(d.Rows)), now: make([]map[string]int, len(d.Lanes))}
	for lane := range d.Lanes {
		if err := c.event(w, lane, nil, "start"); err != nil {
			return err
		}
	}
	before := d.Before()
	for i, r := range d.Rows {
		if r.Lane < 0 { // as that of the start
			continue
		}
		if err := c.forged(w, i); err != nil {
			return err
		}
		var told []map[string]int
		for _, b := range before[i] {
			told = append(told, c.of(b, i))
		}
		if err := c.event(w, r.Lane, told, strings.Join(append([]string{r.Who + ": " + r.What}, r.Details...), "; ")); err != nil {
			return err
		}
		c.at[i] = c.now[r.Lane]
	}
	return nil
}

// clocks are the vector clocks of a run.
type clocks struct {
	d     *draw.Diagram
	hosts []string
	ends  [][]draw.Arrow   // by the row in which they end
	at    []map[string]int // after each row
	now   []map[string]int // of each lane
}

// of is the clock of a row that happened right before another: of the start, that of the sender.
func (c *clocks) of(before, row int) map[string]int {
	if before > 0 {
		return c.at[before]
	}
	for _, a := range c.ends[row] {
		if a.Sent == 0 {
			return map[string]int{c.host(a.From): 1}
		}
	}
	return nil
}

// forged writes the event of the node that made up what arrives in a row.
func (c *clocks) forged(w io.Writer, row int) error {
	for _, a := range c.ends[row] {
		if a.Fate != draw.Forged {
			continue
		}
		if err := c.event(w, a.From, nil, "makes up "+a.Label); err != nil {
			return err
		}
		c.now[a.To] = merged(c.now[a.To], c.now[a.From])
	}
	return nil
}

// event writes an event of a node that is told of some clocks.
func (c *clocks) event(w io.Writer, lane int, told []map[string]int, says string) error {
	next := merged(append(told, c.now[lane])...)
	next[c.host(lane)]++
	c.now[lane] = next
	_, err := fmt.Fprintf(w, "%s %s\n%s\n", c.host(lane), written(next), strings.Join(strings.Fields(says), " "))
	return err
}

func (c *clocks) host(lane int) string { return c.hosts[lane] }

// hosts are the names of nodes without spaces, which end them, and each another.
func hosts(lanes []draw.Lane) (all []string) {
	for _, l := range lanes {
		name := strings.ReplaceAll(l.Name, " ", "_")
		for slices.Contains(all, name) {
			name += "_"
		}
		all = append(all, name)
	}
	return all
}

func merged(clocks ...map[string]int) map[string]int {
	all := map[string]int{}
	for _, c := range clocks {
		for host, n := range c {
			all[host] = max(all[host], n)
		}
	}
	return all
}
