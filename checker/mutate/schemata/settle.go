package schemata

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
)

// settle type-checks the copy, and removes edits until it compiles. It blames an error on the innermost site
// around it. It blames an error in no site, such as a missing return, on the function's dropped statements, and then on its other sites.
func (c *collector) settle() error {
	for len(c.sites) > 0 {
		bad, err := c.faulty()
		if err != nil {
			return err
		}
		if len(bad) == 0 {
			return nil
		}
		c.sites = slices.DeleteFunc(c.sites, func(s *site) bool { return bad[s] })
	}
	return nil
}

// faulty returns the sites that prevent compilation.
func (c *collector) faulty() (map[*site]bool, error) {
	fset, spans := token.NewFileSet(), map[string][]span{}
	var files []*ast.File
	for _, f := range c.source.Files {
		path, w := c.source.pathOf(f), c.write(f)
		copied, err := parser.ParseFile(fset, path, w.text, parser.SkipObjectResolution)
		if err != nil {
			return nil, fmt.Errorf("the instrumented copy of %s is not valid Go: %w", path, err)
		}
		files, spans[path] = append(files, copied), w.spans
	}
	// The helper replaces the guard, whose imports the package may lack.
	helper, err := parser.ParseFile(fset, guardFile, "package "+c.source.Name+"\nfunc contendMutant(first, last int) int { return 0 }", 0)
	if err != nil {
		return nil, err
	}
	bad := map[*site]bool{}
	var failed error
	config := types.Config{Importer: c.source.importer, Error: func(err error) {
		var e types.Error
		if !errors.As(err, &e) || e.Soft && len(bad) > 0 {
			return
		}
		at := fset.PositionFor(e.Pos, false)
		if !c.blame(bad, spans[at.Filename], at.Offset, files, e.Pos) && failed == nil {
			failed = err
		}
	}}
	config.Check(c.source.Path, fset, append(files, helper), nil)
	if len(bad) == 0 {
		return nil, failed
	}
	return bad, nil
}

// blame blames an error on sites, and reports whether it found any.
func (c *collector) blame(bad map[*site]bool, spans []span, offset int, files []*ast.File, at token.Pos) bool {
	var inner *span
	for i, s := range spans {
		if s.from <= offset && offset < s.to && (inner == nil || s.to-s.from < inner.to-inner.from) {
			inner = &spans[i]
		}
	}
	if inner != nil {
		bad[inner.site] = true
		return true
	}
	name := ""
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Pos() <= at && at <= f.End() {
				name = nameOf(f)
			}
		}
	}
	found := false
	for _, only := range [][]form{{dropped, last}, {before}, {replaced}} {
		for _, s := range c.sites {
			if s.fn == name && slices.Contains(only, s.form) {
				bad[s], found = true, true
			}
		}
		if found {
			return true
		}
	}
	return false
}
