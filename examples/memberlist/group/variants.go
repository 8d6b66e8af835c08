package group

import (
	"contend/model"
	"contend/program"
)

// The variants are mistakes in the code around the library, except the first.
var variants = []model.Variant{
	{Name: "never-again", Title: "a node joins once, and no other that it loses: nothing heals an outage that was long", Edit: flags("-rejoin=0"), Unclaimed: []string{met}},
	mistake("ignores-error", "a node says that it has joined whatever comes of it", listed, model.Faults{}, program.Refusals.Is(2)),
	mistake("leaves-in-silence", "a node that leaves does not tell", leaving, model.Faults{}, Leaves.Is(1), Away.Is(8000)),
	mistake("old-news", "a node tells what it told before, one update behind", heard, model.Faults{}),
	mistake("one-stream", "a node takes one connection, and no other", met, model.Faults{}, Kills.Is(1), Away.Is(6000)),
	mistake("deaf", "the transport hears no packets", heard, model.Faults{}),
	mistake("joins-itself", "instead of a node that has been lost a node joins itself", met, model.Faults{}, Outages.Is(1), Away.Is(6000)),
}

// mistake returns a variant in which the program makes the mistake.
func mistake(name, title, breaks string, f model.Faults, settings ...model.Setting) model.Variant {
	return model.Variant{Name: name, Title: title, Breaks: breaks, Show: sampled(f, 2000, settings...), Edit: flags("-mistake=" + name)}
}

// flags adds flags to the program's command line.
func flags(all ...string) func(*model.System) {
	return func(s *model.System) { s.Setup.(*Setup).Flags = append(s.Setup.(*Setup).Flags, all...) }
}
