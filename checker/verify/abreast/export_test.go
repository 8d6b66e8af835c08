package abreast

// Small is how many states a search has that may run beside others.
var Small = &small
