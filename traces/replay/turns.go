package replay

// turn appends the number of steps to [Run.Turns] for each claim whose state changes.
func (r *Replayer) turn(run *Run, steps int) {
	for _, c := range r.watched {
		holds := r.World.Witnessed[c.Name]
		if c.HasGoal() {
			holds = r.World.Reached(c)
		}
		if held := len(run.Turns[c.Name])%2 == 1; holds != held {
			run.Turns[c.Name] = append(run.Turns[c.Name], steps)
		}
	}
}
