package checking

import (
	"fmt"
	"slices"
	"strings"

	"contend/checker/verify/flags"
	"contend/checker/verify/tool"
	"contend/model"
)

// chosen returns the requested claims of a check: all requested claims if the check names none. ok is false if the
// check has none of them.
func chosen(c model.Check, asked []string) (claims []string, ok bool) {
	if len(asked) == 0 {
		return c.Claims, true
	}
	for _, name := range asked {
		if len(c.Claims) == 0 || slices.Contains(c.Claims, name) {
			claims = append(claims, name)
		}
	}
	return claims, len(claims) > 0
}

// withClaims returns the targets that have the requested claims. A target named on the command line must have
// them.
func withClaims(targets []tool.Target, asked []string) ([]tool.Target, error) {
	if len(asked) == 0 {
		return targets, nil
	}
	var kept []tool.Target
	for _, at := range targets {
		known := tool.ClaimNames(at.Protocol)
		if at.Named {
			known = tool.StatementNames(at.Protocol)
		}
		missing := slices.IndexFunc(asked, func(name string) bool { return !slices.Contains(known, name) })
		switch {
		case missing < 0:
			kept = append(kept, at)
		case at.Named:
			return nil, fmt.Errorf("protocol %s has no claim %q%s", at.Protocol.Name, asked[missing], flags.DidYouMean(asked[missing], known))
		}
	}
	if len(kept) == 0 {
		var known []string
		for _, at := range targets {
			known = append(known, tool.ClaimNames(at.Protocol)...)
		}
		return nil, fmt.Errorf("no protocol has the claim %q%s", strings.Join(asked, `" and "`), flags.DidYouMean(asked[0], known))
	}
	return kept, nil
}
