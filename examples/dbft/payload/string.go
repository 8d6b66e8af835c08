package payload

import (
	"fmt"
	"strings"
)

// String returns a payload for people, without its sender. The message shows the sender.
func (p Payload) String() string {
	switch b := p.Body.(type) {
	case Request:
		return fmt.Sprintf("PrepareRequest(view %d, block %d)", p.View, b.Number)
	case Response:
		return fmt.Sprintf("PrepareResponse(%s)", b.To)
	case Commitment:
		return fmt.Sprintf("Commit(view %d, %s)", p.View, b.Sign)
	case Change:
		return fmt.Sprintf("ChangeView(%d → %d, %v)", p.View, b.New, b.Why)
	case Query:
		return fmt.Sprintf("RecoveryRequest(view %d)", p.View)
	case Recovery:
		return fmt.Sprintf("RecoveryMessage(view %d: %s)", p.View, strings.Join(b.senders(), ", "))
	}
	return fmt.Sprintf("no payload: %T", p.Body)
}

// senders names the payloads of a recovery message.
func (r Recovery) senders() []string {
	var all []string
	for _, p := range r.Payloads {
		all = append(all, fmt.Sprintf("%v of cn%d%s", p.Type(), p.From, p.doubt()))
	}
	return all
}

func (p Payload) doubt() string {
	if p.Genuine() {
		return ""
	}
	return fmt.Sprintf(", signed by cn%d", p.Signer)
}
