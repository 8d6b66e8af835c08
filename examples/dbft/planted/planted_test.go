package main

import (
	"testing"

	"contend/checker/plant"
)

// Each text to be replaced occurs in the library exactly once.
func TestEveryBugCanBePlanted(t *testing.T) {
	p, err := plant.Open("..", library, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range append(bugs, mended) {
		if err := p.Plant(b.Edit); err != nil {
			t.Errorf("bug %s: %v", b.Name, err)
		}
	}
}

// Each bug breaks its claim, by a run that the library without it does not take.
func TestPlantedBugsAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("a build of the command for each bug")
	}
	w := workshopOf(t)
	for _, b := range bugs {
		c, err := w.catch(b)
		if err != nil {
			t.Fatal(err)
		}
		if !c.caught() {
			t.Errorf("bug %s: %s: %s, diverges %q", b.Name, b.Claim, c.Verdict, c.Diverges)
		}
	}
}

// With two lines exchanged the library guarantees agreement. The unmodified library violates it.
func TestMended(t *testing.T) {
	if testing.Short() {
		t.Skip("a build of the command")
	}
	w := workshopOf(t)
	c, err := w.catch(mended)
	if err != nil {
		t.Fatal(err)
	}
	if c.Verdict != "holds" {
		t.Errorf("%s: %s", mended.Claim, c.Verdict)
	}
}

func workshopOf(t *testing.T) *workshop {
	w, err := open("..", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return w
}
