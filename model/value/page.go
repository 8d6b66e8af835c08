package value

import (
	"fmt"
	"reflect"

	"contend/model"
	"contend/model/describe"
)

// registerPage lets what the page of a [model.Refinement] is made of be held in an interface, as its
// states are by the monitor that follows them: values of its types, and the states of its nodes. No
// trace holds one, so they have no names to be read by, and may be called what a type of the system
// is called.
func (c *Codec) registerPage(s *model.System, claim model.Claim) error {
	if claim.Refinement.Page == nil {
		return nil
	}
	page, err := claim.Refinement.Beside(s)
	if err != nil {
		return err
	}
	if _, err := New(page); err != nil {
		return fmt.Errorf("page %s: %w", claim.Refinement.Page.Name, err)
	}
	for _, v := range page.Types {
		c.hold(reflect.TypeOf(v))
	}
	if page.Faults.Partitions > 0 {
		c.hold(reflect.TypeFor[model.Side]())
	}
	for _, spec := range page.Nodes {
		if spec.Byzantine {
			continue
		}
		n := spec.New()
		if _, foreign := n.(describe.Teller); foreign {
			return fmt.Errorf("page %s: node %s is an object that was not written for a checker, and cannot be part of a page", claim.Refinement.Page.Name, spec.Name)
		}
		c.hold(reflect.TypeOf(n).Elem())
	}
	return nil
}

// hold lets values of a type that is known to be plain be held in an interface.
func (c *Codec) hold(t reflect.Type) {
	if _, known := c.index[t]; !known {
		c.index[t] = len(c.types)
		c.types = append(c.types, t)
	}
}
