package checker

import "flag"

// minimizeFlag is the flag that says for how long go test makes an input smaller.
const minimizeFlag = "test.fuzzminimizetime"

// minimizeLittle lets the fuzzer try once to make an input smaller, unless the user says how often with
// -fuzzminimizetime. Left to itself it tries for up to a minute whenever an input covers something new, and since what
// a run covers is not quite the same each time, it runs hardly anything else.
func minimizeLittle() error {
	given := false
	flag.Visit(func(is *flag.Flag) { given = given || is.Name == minimizeFlag })
	is := flag.Lookup(minimizeFlag)
	if given || is == nil {
		return nil
	}
	return is.Value.Set("1x")
}
