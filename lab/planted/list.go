package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"contend/checker/plant"
)

// An entry is a bug, or a harmless edit that looks like a bug.
type entry struct {
	name, title string
	harmless    bool
	edits       []plant.Edit // files are paths within the module
}

var heading = regexp.MustCompile(`^(bug|harmless) ([a-z0-9-]+): (\S.*)$`)

// packageDir returns the directory of a protocol's package within the module, with slashes.
func packageDir(protocol string) string {
	if name, ok := strings.CutPrefix(protocol, "multicast-"); ok {
		return "impl/multicast/" + name
	}
	return "impl/" + protocol
}

// readList reads the list of a protocol.
func readList(module, protocol string) ([]entry, error) {
	text, err := os.ReadFile(listFile(module, protocol))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s has no list lab/planted/lists/%s.txt", protocol, protocol)
	}
	if err != nil {
		return nil, err
	}
	entries, err := parse(string(text), packageDir(protocol))
	if err != nil {
		return nil, fmt.Errorf("%s.txt: %w", protocol, err)
	}
	return entries, nil
}

// parse parses a list. Its files are paths from a directory of the module. An entry is
//
//	bug NAME: WHAT THE IMPLEMENTER GOT WRONG
//	file FILE.go
//	- OLD LINE
//	+ NEW LINE
//
// with "harmless" for "bug" where no claim may break. Consecutive lines with a minus sign are one text, which must occur
// once in the file; the lines with a plus sign below it replace the text. An empty line ends the edit. An entry has any number of
// edits and files. A line with # is a comment.
func parse(text, dir string) ([]entry, error) {
	p := parser{dir: dir, names: map[string]bool{}}
	for i, line := range strings.Split(text, "\n") {
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
	}
	if err := p.endEntry(); err != nil {
		return nil, fmt.Errorf("at the end: %w", err)
	}
	if len(p.entries) == 0 {
		return nil, errors.New("the list has no entry")
	}
	return p.entries, nil
}

// A parser has the state of parse between two lines.
type parser struct {
	dir      string
	entries  []entry
	names    map[string]bool
	file     string // of the edits that follow, or ""
	old, new []string
}

func (p *parser) line(line string) error {
	switch sign, rest := split(line); {
	case strings.TrimSpace(line) == "":
		return p.endEdit()
	case strings.HasPrefix(line, "#"):
		return nil
	case sign == "-":
		if p.file == "" {
			return errors.New("the text to replace needs a line \"file NAME.go\" above it")
		}
		if len(p.new) > 0 {
			if err := p.endEdit(); err != nil {
				return err
			}
		}
		p.old = append(p.old, rest)
	case sign == "+":
		if len(p.old) == 0 {
			return errors.New("the new text needs the text that it replaces above it")
		}
		p.new = append(p.new, rest)
	case strings.HasPrefix(line, "file "):
		return p.setFile(strings.TrimSpace(strings.TrimPrefix(line, "file ")))
	case heading.MatchString(line):
		return p.begin(heading.FindStringSubmatch(line))
	default:
		return fmt.Errorf("%q is not \"bug NAME: TITLE\", \"harmless NAME: TITLE\", \"file NAME.go\", or a line with - or +", line)
	}
	return nil
}

// split splits a line of source into its sign and its text.
func split(line string) (sign, text string) {
	if line == "-" || line == "+" {
		return line, ""
	}
	sign, text, is := strings.Cut(line, " ")
	if !is {
		return "", ""
	}
	return sign, text
}

func (p *parser) setFile(name string) error {
	if err := p.endEdit(); err != nil {
		return err
	}
	if len(p.entries) == 0 {
		return errors.New("a file needs a line \"bug NAME: TITLE\" above it")
	}
	p.file = path.Join(p.dir, name)
	if path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") || !strings.HasPrefix(p.file, "impl/") {
		return fmt.Errorf("%s must be a Go file below impl that is no test", name)
	}
	return nil
}

func (p *parser) begin(match []string) error {
	if err := p.endEntry(); err != nil {
		return err
	}
	if p.names[match[2]] {
		return fmt.Errorf("the name %s is used twice", match[2])
	}
	p.names[match[2]], p.file = true, ""
	p.entries = append(p.entries, entry{name: match[2], title: match[3], harmless: match[1] == "harmless"})
	return nil
}

func (p *parser) endEdit() error {
	if len(p.old) == 0 {
		return nil
	}
	e := plant.Edit{File: p.file, Old: strings.Join(p.old, "\n"), New: strings.Join(p.new, "\n")}
	p.old, p.new = nil, nil
	switch {
	case strings.TrimSpace(e.Old) == "":
		return errors.New("the text to replace is empty")
	case e.Old == e.New:
		return fmt.Errorf("the new text is the old text: %q", e.Old)
	}
	last := &p.entries[len(p.entries)-1]
	last.edits = append(last.edits, e)
	return nil
}

func (p *parser) endEntry() error {
	if err := p.endEdit(); err != nil {
		return err
	}
	if n := len(p.entries); n > 0 && len(p.entries[n-1].edits) == 0 {
		return fmt.Errorf("%s has no edit", p.entries[n-1].name)
	}
	return nil
}
