package search

func (x *explorer) profile() string { return "" }
