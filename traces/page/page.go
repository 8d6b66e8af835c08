// Package page makes of a run a page to look at: the space–time diagram of [contend/traces/draw]
// with the state of every node at every step, which one steps through by keys. The page is one
// file that needs nothing else and works offline. page.go writes it, data.go says what its script reads,
// and pack.go keeps long runs small; run.js is what the script knows of the run, page.js what it does in the document.
//
// A trace may come from a stranger. All that is his is text to the template, which escapes it, or
// JSON in an element that nothing runs; and the page's own policy lets no script run but the one here,
// and nothing be fetched.
package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"contend/traces"
	"contend/traces/draw"
	"contend/traces/replay"
	"contend/traces/why"
)

//go:embed page.html page.css run.js page.js
var files embed.FS

var (
	page   = template.Must(template.ParseFS(files, "page.html"))
	style  = read("page.css")
	script = "'use strict';\n" + read("run.js") + read("page.js")
)

func read(name string) string {
	b, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(b)
}

// The layout of the page.
const (
	stripRows = 25   // of a strip of the diagram: two fit on a sheet of paper
	plainRows = 500  // a run of more has its strips packed, and is not shown without a script
	mostText  = 4000 // letters of a text: what is longer is cut
)

// Write writes the page of a run. The same run gives the same bytes.
func Write(w io.Writer, run *replay.Run) error {
	d := draw.Of(run)
	because := why.Of(run)
	because.Tell(d)
	return WriteParts(w, run.Trace, d, because, PartsOf(run))
}

// WriteParts writes the page of a run of which these parts are known.
func WriteParts(w io.Writer, t *traces.Trace, d *draw.Diagram, because why.Explanation, parts Parts) error {
	data, err := dataOf(d, parts)
	if err != nil {
		return err
	}
	broke, when := data.broken(t.Claim)
	raw, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return page.Execute(w, map[string]any{
		"Title": d.Title, "Config": d.Config, "Claim": d.Claim, "Text": short(d.Text), "When": when, "Broke": broke, "Note": short(t.Note),
		"Why":  linked(because.Sentences, len(d.Rows)-1),
		"Head": template.HTML(d.Head()), "Legend": template.HTML(strings.Join(d.Legends(), "")), // made by draw, with all text in them escaped
		"Timed": d.Timed, "Scaled": d.Scaled, "Flights": slices.ContainsFunc(d.Arrows, func(a draw.Arrow) bool { return a.Fate == draw.InFlight }),
		"Strips": data.Strips, "Packed": len(d.Rows) > plainRows,
		"Data":  template.JS(raw), // Marshal escapes what could end the element
		"Style": template.CSS(style), "Script": template.JS(script),
		"Policy": fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'", hashed(script)),
	})
}

// broken says in which step a claim broke, and how that is to be said.
func (d *data) broken(name string) (step int, when string) {
	for _, c := range d.Claims {
		switch {
		case c.Name != name || c.Step < 0:
		case c.Inevitable != "":
			return c.Step, c.Inevitable
		default:
			return c.Step, fmt.Sprintf("since step %d", c.Step)
		}
	}
	return 0, ""
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
