package traces

import "fmt"

// String returns the cost as "name: number", or "" if c is nil.
func (c *Cost) String() string {
	if c == nil {
		return ""
	}
	return fmt.Sprintf("%s: %d", c.Name, c.Number)
}
