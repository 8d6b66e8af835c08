package value

import (
	"fmt"
	"reflect"

	"contend/model"
	"contend/model/describe"
)

// registerPage registers the types of the page of a [model.Refinement] and of its node states, since the
// monitor stores them in interfaces. Traces do not contain them, so they are registered without names, and may
// have the same names as types of the system.
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
		if _, ok := n.(describe.Teller); ok {
			return fmt.Errorf("page %s: node %s is an object that was not written for a checker, and cannot be part of a page", claim.Refinement.Page.Name, spec.Name)
		}
		c.hold(reflect.TypeOf(n).Elem())
	}
	return nil
}

// hold registers a plain type without a name.
func (c *Codec) hold(t reflect.Type) {
	if _, known := c.index[t]; !known {
		c.index[t] = len(c.types)
		c.types = append(c.types, t)
	}
}
