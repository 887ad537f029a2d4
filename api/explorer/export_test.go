package explorer

import (
	"encoding/json"
	"html/template"
	"maps"
	"slices"
	"strings"
)

// ShowModels sends the model of each page in its place, without its drawings and without what is empty.
func ShowModels() {
	model := func(main any) (template.HTML, error) {
		text, err := json.Marshal(main)
		if err != nil {
			return "", err
		}
		var whole any
		if err := json.Unmarshal(text, &whole); err != nil {
			return "", err
		}
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.SetIndent("", " ")
		err = e.Encode(some(whole))
		return template.HTML(b.String()), err
	}
	for name := range templates {
		templates[name] = template.Must(template.New(name).Funcs(template.FuncMap{"model": model}).Parse(`{{define "frame"}}{{model .Main}}{{end}}`))
	}
}

// some is a value without what is empty in it.
func some(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for name, inner := range v {
			v[name] = some(inner)
		}
		maps.DeleteFunc(v, func(_ string, inner any) bool { return inner == nil })
		if len(v) == 0 {
			return nil
		}
	case []any:
		for i := range v {
			v[i] = some(v[i])
		}
		if v = slices.DeleteFunc(v, func(inner any) bool { return inner == nil }); len(v) == 0 {
			return nil
		}
		return v
	case string:
		if strings.HasPrefix(v, "<svg ") {
			return "a drawing"
		}
		if v == "" {
			return nil
		}
	case bool:
		if !v {
			return nil
		}
	}
	return value
}
