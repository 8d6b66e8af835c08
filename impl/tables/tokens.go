package tables

import (
	"contend/impl/mutex"
	"contend/impl/naimithiare"
	"contend/impl/suzukikasami"
	"contend/model"
	"contend/model/printed"
)

// The rows of two locks that broadcast requests, and whose token stays at its last holder. Naimi and Thiare print their
// numbers: "N messages in all or 0", and "0 when a process holds the token and n in the other case". They print no
// delays.
var (
	suzukiKasami = broadcast("suzukikasami", "Suzuki–Kasami", suzukikasami.Protocol, "Naimi–Thiare, Suzuki–Kasami's algorithm; not in the lecture",
		clearText(properties(check(model.Ops.Is(1))(3), true, true, true, nil)))
	naimiThiare = broadcast("naimithiare", "Naimi–Thiare", naimithiare.Protocol, "Naimi–Thiare, conclusion and theorems; not in the lecture",
		properties(check(model.Ops.Is(1))(3), true, true, true, nil))
)

func broadcast(name, title string, p *model.Protocol, source string, properties []printed.Property) *printed.Comparison {
	one, two := check(mutex.Asking.Is(1), model.Ops.Is(2)), check(mutex.Asking.Is(2), model.Ops.Is(1))
	return &printed.Comparison{
		Name: name, Title: title, Protocol: p, Source: source, Size: printed.Size{Name: "N"},
		Numbers: []printed.Number{
			number(messages, holder, "0", constant(0), constant(0), one, []int{2, 3, 4, 5}),
			number(messages, together, "0 or N", constant(0), times(1), check(model.Ops.Is(1)), []int{2, 3}, 4),
			number(client, holder, "", nil, nil, one, []int{2, 3, 4}),
			number(client, twoAsk, "", nil, nil, two, []int{2, 3}, 4),
			inTime(clientTime, twoAsk, "", nil, two, []int{2, 3}, 4),
			number(handover, twoAsk, "", nil, nil, two, []int{2, 3}, 4),
			inTime(handoverTime, twoAsk, "", nil, two, []int{2, 3}, 4),
		},
		Properties: properties,
	}
}

const holder = "the holder of the token asks"

// clearText removes the text of properties that the source does not mention.
func clearText(all []printed.Property) []printed.Property {
	for i := range all {
		all[i].Text = ""
	}
	return all
}
