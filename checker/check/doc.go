// Package check decides the claims of a check and makes its rows. check.go begins. apart.go searches claims that need
// different graphs together or apart, beyond.go samples what a stopped search leaves undecided, and advice.go has an
// advice for each limit.
package check
