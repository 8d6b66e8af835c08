package verdict

import (
	"encoding/json"
	"fmt"

	"contend/model"
	"contend/traces"
)

// A ConfigJSON is a configuration with its JSON in rows: n and b, the protocol's parameters in its order, then the
// parameters that all protocols have.
type ConfigJSON struct {
	model.Config
	settings []model.Setting
}

// NewConfig returns the configuration of a protocol as rows have it.
func NewConfig(p *model.Protocol, c model.Config) ConfigJSON { return ConfigJSON{c, p.Settings(c)} }

// MarshalJSON writes an object whose keys are the names of flags.
func (c ConfigJSON) MarshalJSON() ([]byte, error) {
	out := fmt.Appendf(nil, `{"n":%d,"b":%d`, c.N, c.B)
	for _, s := range c.settings {
		if s.Name != model.N.Name && s.Name != model.B.Name {
			out = fmt.Appendf(out, ",%q:%d", s.Name, s.Value)
		}
	}
	if c.Drift != 0 {
		out = fmt.Appendf(out, `,"drift":%d`, c.Drift)
	}
	if c.Network != "" {
		name, err := json.Marshal(c.Network)
		if err != nil {
			return nil, err
		}
		out = fmt.Appendf(out, `,"network":%s`, name)
	}
	if c.Beyond {
		out = append(out, `,"beyondBounds":true`...)
	}
	return append(out, '}'), nil
}

// UnmarshalJSON reads the object that [ConfigJSON.MarshalJSON] writes.
func (c *ConfigJSON) UnmarshalJSON(data []byte) error {
	var read traces.Config
	if err := read.UnmarshalJSON(data); err != nil {
		return err
	}
	*c = ConfigJSON{read.Model(), read.Settings}
	return nil
}
