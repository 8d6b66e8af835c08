package edits

import (
	"fmt"
	"go/scanner"
	"go/token"
	"slices"
)

// fit makes an edit in the methods of the package's nodes. It returns an error for each old text that does not
// occur exactly once.
func (p *pkg) fit(e *edit) (wrong []error) {
	changes := map[*method][]replacement{}
	for pair := range slices.Chunk(e.pairs, 2) {
		m, r, err := p.find(pair[0], pair[1])
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %s: %w", e.position, e.variant, err))
			continue
		}
		changes[m] = append(changes[m], r)
	}
	for _, n := range p.nodes {
		for _, m := range n.methods {
			if changes[m] == nil {
				continue
			}
			body, err := replaceAll(m.body, changes[m])
			if err != nil {
				wrong = append(wrong, fmt.Errorf("%s: %s: %w", e.position, e.variant, err))
			}
			m.versions = append(m.versions, version{e.number, body})
		}
	}
	return wrong
}

// A replacement is a new text for a piece of a body.
type replacement struct {
	from, to int
	text     string
}

// find returns the method in which an old text occurs, and its replacement.
func (p *pkg) find(old, text string) (in *method, r replacement, err error) {
	looked, err := tokens(old)
	if err != nil {
		return nil, r, err
	}
	if len(looked) == 0 {
		return nil, r, fmt.Errorf("the old text is empty")
	}
	times := 0
	for _, n := range p.nodes {
		for _, m := range n.methods {
			body, err := tokens(m.body)
			if err != nil {
				return nil, r, err
			}
			for at := 0; at+len(looked) <= len(body); at++ {
				found := body[at : at+len(looked)]
				if slices.EqualFunc(found, looked, lexeme.equal) {
					times++
					in, r = m, replacement{found[0].from, found[len(found)-1].to, text}
				}
			}
		}
	}
	if times != 1 {
		return nil, r, fmt.Errorf("the old text must occur once in the methods of nodes, but occurs %d times: %q", times, old)
	}
	return in, r, nil
}

// replaceAll returns a body after all replacements. They must not overlap.
func replaceAll(body string, all []replacement) (string, error) {
	slices.SortFunc(all, func(a, b replacement) int { return b.from - a.from })
	end := len(body)
	for _, r := range all {
		if r.to > end {
			return "", fmt.Errorf("two old texts overlap at %q", body[r.from:r.to])
		}
		body, end = body[:r.from]+r.text+body[r.to:], r.from
	}
	return body, nil
}

// A lexeme is a token with its position.
type lexeme struct {
	token    token.Token
	text     string
	from, to int
}

func (l lexeme) equal(other lexeme) bool { return l.token == other.token && l.text == other.text }

// tokens splits a piece of Go. It omits semicolons and commas before a closing bracket, since they are optional
// there, and the implicit semicolon at the end.
func tokens(text string) (all []lexeme, err error) {
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, []byte(text), func(_ token.Position, msg string) { err = fmt.Errorf("%q is not Go: %s", text, msg) }, 0)
	for {
		pos, is, lit := s.Scan()
		if is == token.EOF {
			break
		}
		if is == token.RBRACE || is == token.RPAREN || is == token.RBRACK {
			if n := len(all); n > 0 && (all[n-1].token == token.SEMICOLON || all[n-1].token == token.COMMA) {
				all = all[:n-1]
			}
		}
		l := lexeme{token: is, text: lit, from: file.Offset(pos)}
		switch {
		case is == token.SEMICOLON:
			l.text, l.to = "", l.from
			if lit == ";" {
				l.to++
			}
		case lit != "":
			l.to = l.from + len(lit)
		default:
			l.to = l.from + len(is.String())
		}
		all = append(all, l)
	}
	if n := len(all); n > 0 && all[n-1].token == token.SEMICOLON && all[n-1].from == all[n-1].to {
		all = all[:n-1]
	}
	return all, err
}
