// Command reading prints random doc comments of this repository and random sentences of its pages. Somebody who did
// not write them reads each once, and counts those that have to be read twice.
//
//	go run ./lab/reading -seed 7 -n 40
//
// The sample depends only on the seed and the tree. Generated files, tests, proofs and the changelog are left out.
package main

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	root := flag.String("root", ".", "the root of the repository")
	seed := flag.Uint64("seed", 1, "seed of the sample")
	n := flag.Int("n", 40, "number of comments, and of sentences")
	flag.Parse()
	comments, sentences, err := collect(*root)
	if err != nil {
		fmt.Fprintln(os.Stderr, "reading:", err)
		os.Exit(1)
	}
	random := rand.New(rand.NewPCG(*seed, 0))
	for _, list := range [][]string{comments, sentences} {
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for i, text := range list[:min(*n, len(list))] {
			fmt.Printf("%d. %s\n\n", i+1, text)
		}
	}
}

// collect returns all doc comments and all sentences below a directory, each after its file.
func collect(root string) (comments, sentences []string, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		switch rel = filepath.ToSlash(rel); {
		case d.IsDir() && (d.Name() == "testdata" || rel == "docs/proofs" || len(d.Name()) > 1 && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case strings.HasSuffix(rel, ".go") && !strings.HasSuffix(rel, "_test.go"):
			found, err := docComments(path, rel)
			comments = append(comments, found...)
			return err
		case rel == "README.md" || strings.HasPrefix(rel, "docs/") && strings.HasSuffix(rel, ".md"):
			text, err := os.ReadFile(path)
			sentences = append(sentences, split(rel, string(text))...)
			return err
		}
		return nil
	})
	return comments, sentences, err
}

// docComments returns the comments of the package and of its top-level declarations in a file. It returns none for a
// generated file.
func docComments(path, rel string) (all []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, nil, parser.ParseComments)
	if err != nil || ast.IsGenerated(file) {
		return nil, err
	}
	add := func(doc *ast.CommentGroup, name string) {
		if text := strings.TrimSpace(doc.Text()); text != "" {
			all = append(all, fmt.Sprintf("%s, %s:\n%s", rel, name, text))
		}
	}
	add(file.Doc, "package")
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			add(decl.Doc, decl.Name.Name)
		case *ast.GenDecl:
			add(decl.Doc, decl.Tok.String())
			for _, spec := range decl.Specs {
				if t, is := spec.(*ast.TypeSpec); is {
					add(t.Doc, t.Name.Name)
				}
			}
		}
	}
	return all, nil
}

var (
	block    = regexp.MustCompile("(?ms)^```.*?^```$|^    .*?$|^\\|.*?$|^#.*?$")
	sentence = regexp.MustCompile(`[^.!?]+(?:[.!?][^\s][^.!?]*)*[.!?](?:\s|$)`)
)

// split returns the sentences of a page. Code, tables and headings have none.
func split(rel, text string) (all []string) {
	for paragraph := range strings.SplitSeq(block.ReplaceAllString(text, ""), "\n\n") {
		for _, s := range sentence.FindAllString(paragraph, -1) {
			if words := strings.Fields(s); len(words) > 3 {
				all = append(all, fmt.Sprintf("%s:\n%s", rel, strings.Join(words, " ")))
			}
		}
	}
	return all
}
