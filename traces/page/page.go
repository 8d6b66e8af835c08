// Package page writes a run as an HTML page: the space–time diagram of [contend/traces/draw] with the state of
// every node at every step. The page is one self-contained file. page.go writes it, data.go has the input of
// its script, and pack.go compresses long runs. run.js is the script's model of the run, and page.js changes
// the document.
//
// A trace may come from an untrusted source. Its texts are escaped by the template, or are JSON in an element
// that is not executed. The page's content security policy allows only the page's own script, and no requests.
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
		panic(err) // the file is embedded
	}
	return string(b)
}

// The layout of the page.
const (
	stripRows = 25   // rows of a strip: two strips fit on a sheet of paper
	plainRows = 500  // a longer run has its strips packed, and needs a script to be shown
	mostText  = 4000 // longer texts are cut to this number of letters
)

// Write writes the page of a run. The output is deterministic.
func Write(w io.Writer, run *replay.Run) error {
	d := draw.New(run)
	because := why.Explain(run)
	because.Annotate(d)
	return WriteParts(w, run.Trace, d, because, NewParts(run))
}

// WriteParts writes the page of a run from its parts.
func WriteParts(w io.Writer, t *traces.Trace, d *draw.Diagram, because why.Explanation, parts Parts) error {
	data, err := newData(d, parts)
	if err != nil {
		return err
	}
	broke, when := data.violation(t.Claim)
	raw, err := json.Marshal(data)
	if err != nil {
		return err
	}
	return page.Execute(w, map[string]any{
		"Title": d.Title, "Config": d.Config, "Claim": d.Claim, "Text": short(d.Text), "When": when, "Broke": broke, "Note": short(t.Note),
		"Why":  link(because.Sentences, len(d.Rows)-1),
		"Head": template.HTML(d.Head()), "Legend": template.HTML(strings.Join(d.Legends(), "")), // created by draw, and draw escapes all text
		"Timed": d.Timed, "Scaled": d.Scaled, "Flights": slices.ContainsFunc(d.Arrows, func(a draw.Arrow) bool { return a.Fate == draw.InFlight }),
		"Strips": data.Strips, "Packed": len(d.Rows) > plainRows,
		"Data":  template.JS(raw), // Marshal escapes what could end the element
		"Style": template.CSS(style), "Script": template.JS(script),
		"Policy": fmt.Sprintf("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-%s'", hash(script)),
	})
}

// violation returns the step that violated a claim, and a text for it.
func (d *data) violation(name string) (step int, when string) {
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

// link escapes sentences, and makes each step that they name a link.
func link(sentences []string, last int) (all []template.HTML) {
	for _, sentence := range sentences {
		all = append(all, template.HTML(stepNamed.ReplaceAllStringFunc(template.HTMLEscapeString(sentence), func(name string) string {
			step, err := strconv.Atoi(strings.TrimPrefix(name, "step "))
			if err != nil || step > last {
				return name
			}
			return fmt.Sprintf(`<a href="#step=%d">%s</a>`, step, name)
		})))
	}
	return all
}

// hash returns the hash of the script for the content security policy.
func hash(script string) string {
	sum := sha256.Sum256([]byte(script))
	return base64.StdEncoding.EncodeToString(sum[:])
}
