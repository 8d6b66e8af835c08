//go:build linux && amd64

package native

// Impatient ends steps that take longer than a twentieth of a second, until the function that it returns is called.
func Impatient() (patient func()) {
	tick, patience = 10_000, 5
	if err := watch(); err != nil {
		panic(err)
	}
	return func() {
		tick, patience = 1_000_000, stepSeconds
		if err := watch(); err != nil {
			panic(err)
		}
	}
}
