package main

// There are no options of sockets here.
func control(uintptr) {}
