// Package export writes runs in formats of other tools: ITF, the trace format of Apalache and Quint (itf.go),
// and logs of ShiViz (shiviz.go).
package export

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"contend/traces/draw"
)

// ShiViz writes the diagram of a run as a log of ShiViz, two lines an event. The first line has the host and its vector clock.
// ShiViz parses the log with the expression (?<host>\S*) (?<clock>{.*})\n(?<event>.*).
// Hosts are nodes, and each begins with an event, since Start may send messages. Events at no node, such as
// partitions, are omitted.
func ShiViz(w io.Writer, d *draw.Diagram) error {
	c := clocks{d: d, hosts: hosts(d.Lanes), ends: d.Ends(), after: make([]map[string]int, len(d.Rows)), now: make([]map[string]int, len(d.Lanes))}
	for lane := range d.Lanes {
		if err := c.event(w, lane, nil, "start"); err != nil {
			return err
		}
	}
	before := d.Before()
	for i, r := range d.Rows {
		if r.Lane < 0 { // no event, like the initial state
			continue
		}
		if err := c.forgeries(w, i); err != nil {
			return err
		}
		var received []map[string]int
		for _, b := range before[i] {
			received = append(received, c.clock(b, i))
		}
		if err := c.event(w, r.Lane, received, strings.Join(append([]string{r.Who + ": " + r.What}, r.Details...), "; ")); err != nil {
			return err
		}
		c.after[i] = c.now[r.Lane]
	}
	return nil
}

// clocks has the vector clocks of a run.
type clocks struct {
	d     *draw.Diagram
	hosts []string
	ends  [][]draw.Arrow   // by the row in which they end
	after []map[string]int // after each row
	now   []map[string]int // of each lane
}

// clock returns the clock of a row that happened directly before another. For the initial state, it is the clock
// of the sender.
func (c *clocks) clock(before, row int) map[string]int {
	if before > 0 {
		return c.after[before]
	}
	for _, a := range c.ends[row] {
		if a.Sent == 0 {
			return map[string]int{c.host(a.From): 1}
		}
	}
	return nil
}

// forgeries writes the events of Byzantine nodes that forged the messages of a row.
func (c *clocks) forgeries(w io.Writer, row int) error {
	for _, a := range c.ends[row] {
		if a.Fate != draw.Forged {
			continue
		}
		if err := c.event(w, a.From, nil, "makes up "+a.Label); err != nil {
			return err
		}
		c.now[a.To] = merge(c.now[a.To], c.now[a.From])
	}
	return nil
}

// event writes an event of a node that receives the given clocks.
func (c *clocks) event(w io.Writer, lane int, received []map[string]int, text string) error {
	next := merge(append(received, c.now[lane])...)
	next[c.host(lane)]++
	c.now[lane] = next
	_, err := fmt.Fprintf(w, "%s %s\n%s\n", c.host(lane), encode(next), strings.Join(strings.Fields(text), " "))
	return err
}

func (c *clocks) host(lane int) string { return c.hosts[lane] }

// hosts returns the names of nodes, made unique and without spaces.
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

func merge(clocks ...map[string]int) map[string]int {
	all := map[string]int{}
	for _, c := range clocks {
		for host, n := range c {
			all[host] = max(all[host], n)
		}
	}
	return all
}
