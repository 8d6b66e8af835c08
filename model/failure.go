package model

import "fmt"

// NoHandlerFails names the claim that every protocol makes without saying so: what its author
// wrote runs to its end. A handler, a monitor, an invariant or a Forge that panics, whose
// [Assert] does not hold, or that asks its [Env] for something that the model does not allow,
// breaks it. The run ends there. It is reported only when it is broken.
const NoHandlerFails = "no handler fails"

// Assertion is the panic of an [Assert] that does not hold.
type Assertion struct{ Text string }

func (a Assertion) Error() string { return "assertion: " + a.Text }

// Assert checks, within a handler, a monitor or an invariant, what its author takes for granted
// there. When the condition does not hold the claim [NoHandlerFails] is broken, by a run that
// ends in this very call; format and args, as of [fmt.Sprintf], say what should have held.
func Assert(holds bool, format string, args ...any) {
	if !holds {
		panic(Assertion{fmt.Sprintf(format, args...)})
	}
}

// A Refusal is the panic of something that is wrong with a protocol whatever its runs are, such
// as a handler that is not a function of what it is given. It is no violation: nothing can be
// said of the claims.
type Refusal interface {
	error
	Refusal()
}

// Refused is the [Refusal] of what no reading of the protocol can take.
type Refused struct{ Text string }

func (r Refused) Error() string { return r.Text }

// Refusal marks it as one.
func (Refused) Refusal() {}

// Refuse panics with a [Refused].
func Refuse(format string, args ...any) { panic(Refused{fmt.Sprintf(format, args...)}) }

// Misuse is the panic of a handler that asks for something that the model does not
// allow, such as a message to a node that is not there. It breaks [NoHandlerFails].
type Misuse struct{ Text string }

func (m Misuse) Error() string { return m.Text }

// Misused panics with a [Misuse].
func Misused(format string, args ...any) { panic(Misuse{fmt.Sprintf(format, args...)}) }
