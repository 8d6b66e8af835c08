// Plain has nothing to do with a simulation.
package main

func main() { println("hello") }
