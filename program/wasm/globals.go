package wasm

import (
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// Globals are the globals of an instance of a prepared module.
type Globals struct {
	of   [globals]api.MutableGlobal
	fuel api.MutableGlobal
}

// Values are values of globals.
type Values [globals]uint64

// GlobalsOf returns the globals of an instance. It is an error if its module was not prepared.
func GlobalsOf(instance api.Module) (*Globals, error) {
	g := &Globals{}
	for i := range g.of {
		is, can := instance.ExportedGlobal(fmt.Sprint("g", i)).(api.MutableGlobal)
		if !can {
			return nil, fmt.Errorf("program: global %d of the module cannot be set: it is not of this version of Go", i)
		}
		g.of[i] = is
	}
	g.fuel = instance.ExportedGlobal("fuel").(api.MutableGlobal)
	return g, nil
}

// Get returns the values.
func (g *Globals) Get() (v Values) {
	for i, is := range g.of {
		v[i] = is.Get()
	}
	return v
}

// Set sets the values.
func (g *Globals) Set(v Values) {
	for i, is := range g.of {
		is.Set(v[i])
	}
}

// Refuel lets loops go round as often as they may.
func (g *Globals) Refuel() { g.fuel.Set(Passes) }

// Spent reports whether loops have gone round as often as they may, so that the module trapped.
func (g *Globals) Spent() bool { return g.fuel.Get() == 0 }
