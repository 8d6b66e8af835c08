package guard_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"contend/model"
	"contend/model/guard"
)

// elsewhere calls do in a new goroutine, and waits for its end. It reports whether do returned.
func elsewhere(do func()) (done bool) {
	end := make(chan bool)
	go func() {
		defer close(end)
		do()
		done = true
	}()
	<-end
	return done
}

// use makes a use of a loan.
func use(l *guard.Loan) {
	if !l.Holds() {
		l.Refuse("node s")
	}
}

const (
	late    = `^node s uses its Env after the handler that it was given to has returned \(guard/loan_test.go:\d+\)$`
	another = `^node s uses its Env in another goroutine than the handler that it was given to \(guard/loan_test.go:\d+\)$`
)

// refused returns the text of a panic, if it is a refusal.
func refused(do func()) (says string) {
	defer func() {
		if f, is := recover().(model.Refused); is {
			says = f.Text
		}
	}()
	do()
	return ""
}

// often makes so many uses of a loan that at least one is checked.
func often(l *guard.Loan) {
	for range 30 {
		use(l)
	}
}

// A loan holds in its handler until the handler returns, at any depth of calls, and in no other goroutine. A
// handler that uses a loan that does not hold is refused, and so is a test. Any other goroutine ends, and the
// strays store the first use.
func TestLoans(t *testing.T) {
	var deep func(n int, do func())
	deep = func(n int, do func()) {
		if n > 0 {
			deep(n-1, do)
			return
		}
		do()
	}
	for _, depth := range []int{0, 10, 100, 1000} {
		var strays guard.Strays
		l := guard.Lend(true, &strays)
		f := guard.Call(func() {
			deep(depth, func() {
				use(l)
				assert.False(t, elsewhere(func() { use(l) }), "the goroutine ends")
			})
		})
		assert.Nil(t, f)
		assert.Regexp(t, another, refused(strays.MustBeNone))
		l.End()
		assert.False(t, elsewhere(func() { use(l) }))
		assert.Regexp(t, another, refused(strays.MustBeNone), "the first is kept")
		assert.Regexp(t, late, refused(func() { guard.Call(func() { deep(depth, func() { use(l) }) }) }))
		assert.Regexp(t, late, refused(func() { use(l) }))
	}
}

// A loan that is not strict holds in each goroutine until the handler returns.
func TestLoansThatAreNotStrict(t *testing.T) {
	var strays guard.Strays
	l := guard.Lend(false, &strays)
	assert.True(t, elsewhere(func() { often(l) }))
	assert.Empty(t, refused(strays.MustBeNone))
	l.End()
	assert.False(t, elsewhere(func() { use(l) }))
	assert.Regexp(t, late, refused(strays.MustBeNone))
}

// A strict loan checks the first uses, and sometimes later uses, whatever their period is.
func TestUsesThatAreLookedAt(t *testing.T) {
	for period := 1; period <= 64; period++ {
		var strays guard.Strays
		l := guard.Lend(true, &strays)
		for range 300 {
			guard.Call(func() { use(l) })
		}
		for k := 1; ; k++ {
			stray := k%period == 0
			if stray && !elsewhere(func() { use(l) }) {
				break
			}
			if !stray {
				guard.Call(func() { use(l) })
			}
			if !assert.Less(t, k, 180*period, "period %d", period) {
				break
			}
		}
	}
}

// Concurrent uses by several goroutines are no data race.
func TestLoansAreAskedByAnyGoroutine(t *testing.T) {
	for _, strict := range []bool{true, false} {
		var strays guard.Strays
		l, end := guard.Lend(strict, &strays), make(chan bool)
		for range 4 {
			go func() {
				defer func() { end <- true }()
				for {
					use(l)
				}
			}()
		}
		guard.Call(func() { often(l) })
		l.End()
		for range 4 {
			<-end
		}
		assert.NotEmpty(t, refused(strays.MustBeNone))
	}
}
