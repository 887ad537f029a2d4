package findings

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Params are what the sentence of a finding names: texts, whole numbers (int64), lists of texts, and lists of Params.
type Params map[string]any

// More is the parameter that counts the items of a list that are not named.
const More = "more"

// UnmarshalJSON reads numbers as whole numbers.
func (p *Params) UnmarshalJSON(data []byte) error {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(data, &values); err != nil {
		return err
	}
	*p = Params{}
	for name, value := range values {
		var err error
		switch {
		case value[0] == '"':
			(*p)[name], err = read[string](value)
		case value[0] == '[' && bytes.HasPrefix(bytes.TrimLeft(value[1:], " \t\r\n"), []byte("{")):
			(*p)[name], err = read[[]Params](value)
		case value[0] == '[':
			(*p)[name], err = read[[]string](value)
		default:
			(*p)[name], err = read[int64](value)
		}
		if err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	return nil
}

func read[T any](value []byte) (T, error) {
	var v T
	err := json.Unmarshal(value, &v)
	return v, err
}
