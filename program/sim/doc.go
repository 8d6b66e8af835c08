// Package sim connects a program to its simulation by package contend/program: to the other nodes, to the calls of its application, and to
// monitors. In other builds the functions for connections are those of package net, and the other functions do nothing, so the program runs as
// usual.
//
// A file beside function main makes the program a node:
//
//	//go:build wasip1
//
//	package main
//
//	import "contend/program/sim"
//
//	func init() { sim.Main(main) }
//
// Native guests are built with this file, too. An address is "host:port", where host is the name of a node.
package sim
