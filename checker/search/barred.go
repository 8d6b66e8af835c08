package search

import (
	"fmt"
	"strings"

	"contend/checker/search/reduce"
	"contend/checker/search/symmetry"
	"contend/model"
)

// symmetryBarred returns the note that claims bar a requested symmetry. It returns "" if no two nodes look alike,
// or if the symmetry is also barred without the claims: another choice of claims does not help then.
func (x *explorer) symmetryBarred(c reduce.Conditions) string {
	var groups []string
	why := ""
	for _, g := range []struct {
		name  string
		asked bool
		reduce.Reduction
	}{{symmetry.Servers, x.opt.Symmetry, reduce.ServerSymmetry}, {symmetry.Clients, x.opt.Clients, reduce.ClientSymmetry}} {
		if g.asked && !g.In(c) && g.In(c.WithoutClaims()) && symmetry.Alike(x.Engine, g.name) {
			groups, why = append(groups, g.name), g.Barred(c)
		}
	}
	if len(groups) == 0 {
		return ""
	}
	bar := x.barring()
	note := fmt.Sprintf("symmetry of %s is off because of %s: %s", strings.Join(groups, " and "), strings.Join(bar, ", "), why)
	if len(bar) < len(x.claims) {
		note += "; --claim searches the other claims with it"
	}
	return note
}

// barring returns the names of the claims that bar symmetry.
func (x *explorer) barring() (names []string) {
	for _, c := range x.claims {
		if c.Kind == model.Eventually || c.Kind == model.AlmostSurely && x.Coins.Tossed || readsPasts(c) {
			names = append(names, c.Name)
		}
	}
	return names
}
