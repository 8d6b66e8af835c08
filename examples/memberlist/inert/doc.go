// Package inert creates lists of members that do nothing by themselves. A list is the [memberlist.Memberlist]
// of HashiCorp's library without its goroutines, tickers and sockets, and with timers that never fire. It
// acts only within a call, and returns the messages that it would send. No line of the library is changed.
//
// The library's functions are named in links.go, and its types are repeated in layout.go. A list is created
// in new.go, and wire.go replaces the network. The events of a list are methods in list.go. No other package
// of the example depends on the library's internals.
package inert
