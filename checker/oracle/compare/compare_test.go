package compare

import (
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"testing"
	"time"
)

var digits = regexp.MustCompile(`\d+`)
var inside = regexp.MustCompile(`\([^)]*\)|claim [^:]*`)

func TestScratch(t *testing.T) {
	from, _ := strconv.Atoi(os.Getenv("FROM"))
	to, _ := strconv.Atoi(os.Getenv("TO"))
	limit, _ := strconv.Atoi(os.Getenv("LIMIT"))
	skipped := map[string]int{}
	classes := map[string][]string{}
	tally := map[string]int{}
	start := time.Now()
	n := 0
	for seed := from; seed < to; seed++ {
		c := One(uint64(seed), limit)
		if c.Skipped != "" {
			skipped[c.Skipped]++
			continue
		}
		n++
		for _, x := range c.Claims {
			k := fmt.Sprint(x.Kind, "/", x.Reading)
			tally[k+" oracle "+string(x.Truth)+" search "+string(x.Verdict)]++
		}
		seen := map[string]bool{}
		for _, p := range c.Problems {
			k := digits.ReplaceAllString(inside.ReplaceAllString(p[len(fmt.Sprint("seed ", seed)):], ""), "#")
			if i := regexp.MustCompile(`\{.*\}`).FindStringIndex(k); i != nil {
				k = k[:i[0]] + k[i[1]:]
			}
			if len(k) > 150 {
				k = k[:150]
			}
			if !seen[k] && len(classes[k]) < 6 {
				classes[k] = append(classes[k], p)
			}
			seen[k] = true
		}
	}
	for k, list := range classes {
		t.Log("CLASS ", len(list), k)
		for _, p := range list[:min(3, len(list))] {
			t.Log("      ", p[:min(420, len(p))])
		}
	}
	var keys []string
	for k, v := range tally {
		keys = append(keys, fmt.Sprint(k, " ", v))
	}
	sort.Strings(keys)
	for _, k := range keys {
		t.Log(k)
	}
	t.Log(n, "compared", time.Since(start), skipped)
}
