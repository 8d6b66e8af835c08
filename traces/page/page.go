// Package page makes of a run a page to look at: the space–time diagram of [contend/traces/draw]
// with the state of every node at every step, which one steps through by keys. The page is one
// file that needs nothing else and works offline.
//
// A trace may come from a stranger. All that is his is text to the template, which escapes it, or
// JSON in an element that nothing runs; and the page's own policy lets no script run but the one here,
// and nothing be fetched.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the page
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strconv"
	"strings"

	"contend/model"
	"contend/model/value"
	"contend/traces"
	"contend/traces/draw"
	"contend/traces/why"
)

//go:embed page.html
var source string

//go:embed page.css
var style string

//go:embed page.js
var script string

var page = template.Must(template.New("page").Parse(source))

// data is what the script reads.
type data struct {
	Nodes  []string  `json:"nodes"`
	Steps  []step    `json:"steps"`
	First  [][]field `json:"first"`  // the state of each node before the first step
	Before [][]int   `json:"before"` // of each step the steps right before it
	Claims []claim   `json:"claims"`
}

// A step is what happens, and at which node.
type step struct {
	Time    string   `json:"time,omitempty"`
	Who     string   `json:"who"`
	What    string   `json:"what"`
	Details []string `json:"details"`
	Lane    int      `json:"lane"` // -1: at no node
	// State is that of the node afterwards; null where it is as before, or the node is down.
	State []field `json:"state"`
	Down  bool    `json:"down,omitempty"`
}

// A field of a state that is neither zero nor empty.
type field struct {
	Name string `json:"name"`
	Is   string `json:"is"`
}

// A claim that was watched, and the step that broke it; -1 where none did.
type claim struct {
	Name string `json:"name"`
	Step int    `json:"step"`
	Text string `json:"text"`
}

// Write writes the page of a run. The same run gives the same bytes.
func Write(w io.Writer, run *traces.Run) error {
	d := draw.Of(run)
	d.Bare = true
	because := why.Of(run)
	because.Tell(d)
	var picture bytes.Buffer
	if err := d.SVG(&picture); err != nil {
		return err
	}
	raw, err := json.Marshal(dataOf(run, d))
	if err != nil {
		return err
	}
	return page.Execute(w, map[string]any{
		"Title": d.Title, "Config": d.Config, "Claim": d.Claim, "Text": d.Text, "Note": run.Trace.Note,
		"Why":     linked(because.Sentences, len(run.Records)),
		"Picture": template.HTML(picture.String()), // made here, with all text in it escaped
		"Data":    template.JS(raw),                // Marshal escapes what could end the element
		"Style":   template.CSS(style), "Script": template.JS(script),
		"Policy": fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'", hashed(script)),
	})
}

var stepNamed = regexp.MustCompile(`\bstep (\d{1,7})\b`)

// linked makes of each step that a sentence names a link to it.
func linked(sentences []string, last int) (all []template.HTML) {
	for _, says := range sentences {
		all = append(all, template.HTML(stepNamed.ReplaceAllStringFunc(template.HTMLEscapeString(says), func(name string) string {
			step, err := strconv.Atoi(strings.TrimPrefix(name, "step "))
			if err != nil || step > last {
				return name
			}
			return fmt.Sprintf(`<a href="#step=%d">%s</a>`, step, name)
		})))
	}
	return all
}

// hashed is the name of the one script that may run.
func hashed(script string) string {
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func dataOf(run *traces.Run, d *draw.Diagram) data {
	out := data{Before: d.Before()}
	for _, l := range d.Lanes {
		out.Nodes = append(out.Nodes, l.Name)
	}
	states := states{run}
	out.First = states.first()
	for i, r := range d.Rows {
		s := step{Time: r.Time, Who: r.Who, What: r.What, Details: r.Details, Lane: r.Lane}
		if i > 0 && r.Lane >= 0 {
			s.State, s.Down = states.after(i - 1)
		}
		out.Steps = append(out.Steps, s)
	}
	for _, name := range run.Watched {
		out.Claims = append(out.Claims, brokenBy(run, name))
	}
	return out
}

// brokenBy says where a claim broke first.
func brokenBy(run *traces.Run, name string) claim {
	for _, v := range run.World.Violations {
		if v.Claim == name {
			return claim{name, v.Step, v.Text}
		}
	}
	if name == run.Trace.Claim {
		return claim{name, len(run.Records), strings.TrimSpace("its goal is not reached: " + run.Trace.Text)}
	}
	return claim{Name: name, Step: -1}
}

// states reads the states of nodes from the records of a run.
type states struct{ run *traces.Run }

// first are the states before the first step.
func (s states) first() (all [][]field) {
	for _, n := range s.run.First() {
		all = append(all, s.fields(n))
	}
	return all
}

// after is the state of a record's node after it.
func (s states) after(i int) (state []field, down bool) {
	r := s.run.Records[i]
	switch r.Move.Kind {
	case model.Crash, model.Stop:
		return nil, true
	}
	return s.fields(r.After), false
}

// fields are those of a state, none of them of a node without one.
func (s states) fields(n model.Node) []field {
	if n == nil {
		return nil
	}
	all := []field{}
	for _, f := range value.Fields(n, s.run.World.System.Name) {
		all = append(all, field{f.Name, f.Is})
	}
	return all
}
