package member

import "fmt"

// logger discards the library's log. A fatal message panics, and so breaks the claim that no handler fails.
type logger struct{}

func (logger) Debug(...any)            {}
func (logger) Debugf(string, ...any)   {}
func (logger) Error(...any)            {}
func (logger) Errorf(string, ...any)   {}
func (logger) Info(...any)             {}
func (logger) Infof(string, ...any)    {}
func (logger) Warning(...any)          {}
func (logger) Warningf(string, ...any) {}

func (logger) Fatal(v ...any)                 { panic(fmt.Sprint(v...)) }
func (logger) Fatalf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
func (logger) Panic(v ...any)                 { panic(fmt.Sprint(v...)) }
func (logger) Panicf(format string, v ...any) { panic(fmt.Sprintf(format, v...)) }
