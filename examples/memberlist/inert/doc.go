// Package inert makes lists of members that do nothing by themselves: the [memberlist.Memberlist] of
// HashiCorp's library, with none of its goroutines, tickers and sockets, and with timers that never fire.
// All that it does it does within a call, and what it would send is handed out. No line of the library is
// changed.
//
// links.go names the library's functions that are called, layout.go repeats the types that they take, new.go
// builds a list, wire.go stands in for the network, and list.go has what can happen to a list, one method
// each. This is the only package here that knows how the library looks inside.
package inert
