package verify

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"contend/checker/verify/tool"
	"contend/model"
)

// valid returns an error if the suite is wrong; else nil. A parameter is a flag, and must not have the name of
// another flag.
func (t commandLine) valid() error {
	if err := model.ValidateSuite(t.Suite); err != nil {
		return err
	}
	taken := map[string]bool{"help": true, "h": true}
	bare := commandLine{&tool.Tool{Out: t.Out, Err: t.Err, Verbs: t.Verbs}}.root()
	for _, c := range bare.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) { taken[f.Name], taken[f.Shorthand] = true, true })
	}
	for _, p := range t.Suite {
		if slices.Contains(verbs(bare), p.Name) {
			return fmt.Errorf("protocol %s has the name of a verb, and needs another name", p.Name)
		}
		for _, param := range p.Params {
			if name := param.Declared().Name; taken[name] {
				return fmt.Errorf("protocol %s: parameter %s has the name of another flag, and needs another name", p.Name, name)
			}
		}
	}
	return nil
}
