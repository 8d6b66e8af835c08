package model

import "fmt"

// NoHandlerFails is the name of a claim that every protocol makes implicitly: the author's code runs without
// failure. Handlers, monitors, invariants and Forge violate it by a panic, by an [Assert] that does not hold,
// or by a misuse of Env. The run ends there. The claim is reported only if it is violated.
const NoHandlerFails = "no handler fails"

// An Assertion is the panic value of an [Assert] that does not hold.
type Assertion struct{ Text string }

func (a Assertion) Error() string { return "assertion: " + a.Text }

// Assert panics with an [Assertion] if the condition does not hold. The panic violates [NoHandlerFails].
// Handlers, monitors and invariants may call Assert. Format and args are arguments of [fmt.Sprintf], and
// describe the condition.
func Assert(holds bool, format string, args ...any) {
	if !holds {
		panic(Assertion{fmt.Sprintf(format, args...)})
	}
}

// A Refusal is the panic value for a defect of the protocol itself, such as a handler that is not
// deterministic. It is not a violation, and the claims have no verdict.
type Refusal interface {
	error
	Refusal()
}

// A Refused is a [Refusal] with a text.
type Refused struct{ Text string }

func (r Refused) Error() string { return r.Text }

// Refusal implements [Refusal].
func (Refused) Refusal() {}

// Refuse panics with a [Refused].
func Refuse(format string, args ...any) { panic(Refused{fmt.Sprintf(format, args...)}) }

// A Misuse is the panic value for a use of [Env] that the model does not allow, such as a message to a node
// that does not exist. It violates [NoHandlerFails].
type Misuse struct{ Text string }

func (m Misuse) Error() string { return m.Text }

// Misused panics with a [Misuse].
func Misused(format string, args ...any) { panic(Misuse{fmt.Sprintf(format, args...)}) }
