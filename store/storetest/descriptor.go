package storetest

// descriptor is what the suite writes and reads of a datapackage.json. It is a second reading beside cube/fdp,
// of as little as the oracle needs.
type descriptor struct {
	Name      string     `json:"name"`
	Resources []resource `json:"resources"`
	Schema    schema     `json:"schema"`
	Model     model      `json:"model"`
}

type resource struct {
	Name   string  `json:"name"`
	Path   string  `json:"path"`
	Schema *schema `json:"schema,omitempty"`
}

type schema struct {
	Fields        []field  `json:"fields"`
	MissingValues []string `json:"missingValues,omitempty"`
}

type field struct {
	Name       string `json:"name"`
	Type       string `json:"type"`
	ColumnType string `json:"columnType,omitempty"`
}

type model struct {
	Dimensions map[string]dimension `json:"dimensions"`
	Measures   map[string]measure   `json:"measures"`
}

type dimension struct {
	Type       string     `json:"dimensionType"`
	Key        []string   `json:"primaryKey"`
	Attributes attributes `json:"attributes"`
}

type attributes map[string]attribute

type attribute struct {
	LabelFor string `json:"labelfor,omitempty"`
	Parent   string `json:"parent,omitempty"`
}

type measure struct{}
