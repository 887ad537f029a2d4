package assistant

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"fiscube/api/encode"
	"fiscube/cube"
	"fiscube/internal/each"
)

// An assistant pays for every byte that it reads, and reads each once. So a result has the numbers as rows below one line of column names,
// no answer has more rows than fit, and what is left out is counted.

// The bytes of a result with the sentence beside it: as long as the caller asks for no certain number of rows, and at most. A reply has some
// more around them, and what every result says; the characters of the sentence are bounded too, but for its link.
const (
	usualBytes    = 7_900
	searchBytes   = 5_900
	describeBytes = 11_900
	listBytes     = 3_900
	mostBytes     = 28_500
	aroundBytes   = 600
	mostSentence  = 1_600
)

// mostRows is how many rows an assistant may ask for at once; mostFiles is how many files an answer names, of which cite names all.
const (
	mostRows  = 200
	mostFiles = 5
)

// object is a JSON object in its order.
type object []entry

type entry struct {
	key   string
	value json.RawMessage
}

// readObject reads the text of an object, as the API writes it; anything else gives none.
func readObject(text []byte) object {
	var o object
	decoder := json.NewDecoder(bytes.NewReader(text))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return nil
	}
	for decoder.More() {
		key, err := decoder.Token()
		var e entry
		if err != nil || decoder.Decode(&e.value) != nil {
			return o
		}
		e.key = key.(string) // of an object
		o = append(o, e)
	}
	return o
}

// readList reads the text of a list; anything else gives none.
func readList(text []byte) []json.RawMessage {
	var list []json.RawMessage
	_ = json.Unmarshal(text, &list)
	return list
}

func (o object) get(key string) json.RawMessage {
	i := slices.IndexFunc(o, func(e entry) bool { return e.key == key })
	if i < 0 {
		return nil
	}
	return o[i].value
}

// text gives a value that is a text.
func (o object) text(key string) string {
	var text string
	_ = json.Unmarshal(o.get(key), &text)
	return text
}

// with gives the object with another value of a key, if it has the key.
func (o object) with(key string, value []byte) object {
	o = slices.Clone(o)
	for i := range o {
		if o[i].key == key {
			o[i].value = value
		}
	}
	return o
}

// without leaves out keys.
func (o object) without(keys ...string) object {
	return slices.DeleteFunc(slices.Clone(o), func(e entry) bool { return slices.Contains(keys, e.key) })
}

// said leaves out what says nothing.
func (o object) said() object {
	return slices.DeleteFunc(slices.Clone(o), func(e entry) bool {
		return slices.Contains([]string{"null", "[]", `""`, "false"}, string(e.value))
	})
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, e := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, encode.Marshal(e.key)...), ':'), e.value...)
	}
	return append(b, '}'), nil
}

// eachOf changes the objects of a list.
func eachOf(list json.RawMessage, change func(object) object) json.RawMessage {
	items := readList(list)
	for i, item := range items {
		items[i], _ = change(readObject(item)).MarshalJSON() // which cannot fail
	}
	return encode.Marshal(items)
}

// compactCubes describes the cubes of a list in a line each.
func compactCubes(_ map[string][]string, o object) object {
	return object{{"cubes", eachOf(o.get("cubes"), func(c object) object { return c.without("rows", "publisher", "loaded_at").said() })}}
}

// compactCube leaves out what the model and a citation say.
func compactCube(_ map[string][]string, o object) object {
	return o.without("status", "measures", "resources", "tags", "created", "updated", "start_date", "end_date", "loaded_at").said()
}

// compactModel describes each level and measure in a line. What became of the members of one level is said where the caller names it.
func compactModel(given map[string][]string, o object) object {
	o = o.without("status", "cube", "version", "synthetic", "aggregates", "resources", "coverage", "series").said()
	if level := strings.Join(given["level"], ""); level != "" {
		levels := slices.DeleteFunc(readList(o.get("levels")), func(l json.RawMessage) bool {
			o := readObject(l)
			return o.text("ref") != level && o.text("label_ref") != level
		})
		return object{{"levels", encode.Marshal(levels)}}
	}
	o = o.with("dimensions", eachOf(o.get("dimensions"), func(d object) object { return d.without("classification") }))
	o = o.with("measures", eachOf(o.get("measures"), func(m object) object {
		if string(m.get("unit")) == "1" {
			m = m.without("unit")
		}
		return m
	}))
	return o.with("levels", eachOf(o.get("levels"), func(l object) object {
		return l.without("breaks", "same_as", "dimension", "type").said()
	}))
}

// compactHits leaves out of hits what says nothing, and the questions that a caller writes itself.
func compactHits(_ map[string][]string, o object) object {
	o = o.without("status", "page_size")
	return o.with("hits", eachOf(o.get("hits"), func(h object) object { return h.without("href", "rows").said() }))
}

// compactAnswer writes the cells as rows, and leaves out what the caller has asked.
func compactAnswer(_ map[string][]string, o object) object {
	return tabled(shortCitation(o.without("status", "cell", "attributes", "aggregates", "order", "page_size")), "cells")
}

// compactFacts writes facts as rows. Unless the caller has named the columns, what all rows have in common is said once, and of the other
// columns those with the most different values are kept, as far as they fit.
func compactFacts(given map[string][]string, o object) object {
	o = o.without("status", "cube", "version", "synthetic", "fields")
	facts := readList(o.get("facts"))
	if len(given["fields"]) > 0 || len(facts) < 2 {
		return tabled(o, "facts")
	}
	rows := each.Of(facts, func(fact json.RawMessage) object { return readObject(fact) })
	same, kept, left := commonColumns(rows)
	for i := range rows {
		rows[i] = slices.DeleteFunc(rows[i], func(e entry) bool { return !slices.Contains(kept, e.key) })
	}
	o = append(tabled(o.with("facts", encode.Marshal(rows)), "facts"), entry{"same_in_all", encode.Marshal(same)})
	if len(left) > 0 {
		o = append(o, entry{"fields_left_out", encode.Marshal(left)})
	}
	return o
}

// commonColumns tells the columns of rows apart: those with one value, which it gives, those that are kept, and those for which there is
// no room. Columns with few values are what the caller has cut by, or lie above others.
func commonColumns(rows []object) (same object, kept, left []string) {
	type column struct {
		name   string
		values map[string]bool
		bytes  int
	}
	var columns []column
	for c, e := range rows[0] {
		values, bytes := map[string]bool{}, 0
		for _, row := range rows {
			values[string(row[c].value)] = true
			bytes += len(row[c].value) + 1
		}
		if len(values) > 1 {
			columns = append(columns, column{e.key, values, bytes})
		} else if value := string(e.value); value != "null" && value != `""` {
			same = append(same, e)
		}
	}
	byValues := slices.Clone(columns)
	slices.SortStableFunc(byValues, func(a, b column) int {
		if aOwn, bOwn := cube.IsOwnName(a.name), cube.IsOwnName(b.name); aOwn != bOwn { // file and line come first
			if aOwn {
				return -1
			}
			return 1
		}
		return len(b.values) - len(a.values)
	})
	const room = usualBytes / 2
	fits, used := map[string]bool{}, 0
	for _, c := range byValues {
		if used+c.bytes <= room {
			used += c.bytes
			fits[c.name] = true
		}
	}
	for _, c := range columns {
		if fits[c.name] {
			kept = append(kept, c.name)
		} else {
			left = append(left, c.name)
		}
	}
	for same != nil && len(encode.Marshal(same)) > room/2 {
		left, same = append(left, same[len(same)-1].key), same[:len(same)-1]
	}
	return same, kept, left
}

// compactSum leaves of the sum of lines the sum and its citation.
func compactSum(_ map[string][]string, o object) object {
	return shortCitation(object{{"summary", o.get("summary")}, {"citation", o.get("citation")}})
}

// compactTree leaves out what the caller has asked.
func compactTree(_ map[string][]string, o object) object {
	return shortCitation(o.without("status", "cell", "attributes", "aggregates", "order"))
}

// compactCited is the citation whole.
func compactCited(_ map[string][]string, o object) object {
	return o.without("status", "cell", "cells", "total_cell_count", "attributes", "aggregates", "order", "page", "page_size")
}

// shortCitation names the files of a citation without their hashes, and not all of many: cite gives them.
func shortCitation(o object) object {
	citation := readObject(o.get("citation"))
	if citation == nil {
		return o
	}
	files := readList(citation.get("resources"))
	more := len(files) - mostFiles
	files = files[:min(len(files), mostFiles)]
	citation = citation.with("resources", eachOf(encode.Marshal(files), func(f object) object { return object{{"name", f.get("name")}} }))
	if more > 0 {
		citation = append(citation, entry{"resources_left_out", encode.Marshal(more)})
	}
	return o.with("citation", encode.Marshal(citation))
}

// tabled writes a list of objects as columns, in the order in which they come first, and rows. A row has null for a key that its
// object lacks.
func tabled(o object, key string) object {
	var columns []string
	items := readList(o.get(key))
	rows := make([]object, len(items))
	at := map[string]int{}
	for i, item := range items {
		rows[i] = readObject(item)
		for _, e := range rows[i] {
			if _, known := at[e.key]; !known {
				at[e.key] = len(columns)
				columns = append(columns, e.key)
			}
		}
	}
	table := make([][]json.RawMessage, len(rows))
	for i, row := range rows {
		table[i] = make([]json.RawMessage, len(columns))
		for _, e := range row {
			table[i][at[e.key]] = e.value
		}
	}
	i := slices.IndexFunc(o, func(e entry) bool { return e.key == key })
	if i < 0 {
		return o
	}
	return slices.Concat(o[:i], object{{"columns", encode.Marshal(columns)}, {"rows", encode.Marshal(table)}}, o[i+1:])
}

// fit leaves out the last rows of a part of a result until it has so many bytes, and tells how many. What leads to the rows after them goes
// with them.
func fit(result object, part, rows string, most int) (object, int) {
	over := len(encode.Marshal(result)) - most
	inside := readObject(result.get(part))
	list := readList(inside.get(rows))
	left := 0
	for over > 0 && len(list) > 1 {
		over -= len(list[len(list)-1]) + 1
		list = list[:len(list)-1]
		left++
	}
	if left == 0 {
		return result, 0
	}
	return result.with(part, encode.Marshal(inside.with(rows, encode.Marshal(list)).without("next"))), left
}

// sentence says a result in words: the citation or what was found, what a reader should know of it, what is left out, and the link.
func sentence(result object, leftOut string) string {
	var parts []string
	link := result.text("link")
	for _, e := range result {
		o := readObject(e.value)
		switch e.key {
		case "search":
			parts = append(parts, "Hits: "+string(o.get("total_hit_count"))+".")
			for _, one := range readList(o.get("hits"))[:min(3, len(readList(o.get("hits"))))] {
				hit := readObject(one)
				words := "“" + hit.text("label") + "”: " + strings.TrimSpace(hit.text("level")+" "+hit.text("path")) + " of " + hit.text("cube")
				if amount := readObject(hit.get("amount")); amount != nil {
					words += ", " + amount.text("measure") + " of " + string(amount.get("year")) + " " + amount.text("value")
				}
				parts = append(parts, words+".")
			}
		case "cubes":
			parts = append(parts, "Cubes: "+strconv.Itoa(len(readList(o.get("cubes"))))+".")
		case "cube":
			parts = append(parts, "“"+o.text("title")+"”, years "+string(o.get("years"))+".")
		}
		if citation := readObject(o.get("citation")); citation != nil {
			parts = append(parts, citation.text("text"))
			if link = citation.text("page"); link != "" {
				link = "Page: " + link
			}
		}
		for _, warning := range readList(o.get("warnings")) {
			switch w := readObject(warning); cube.Weight(w.text("weight")) {
			case cube.Stop:
				parts = append(parts, "The total cannot be trusted: "+w.text("message")+".")
			case cube.Note:
				parts = append(parts, "Note: "+w.text("message")+".")
			}
		}
	}
	text := strings.Join(append(parts, leftOut), " ")
	if runes := []rune(text); len(runes) > mostSentence {
		text = string(runes[:mostSentence]) + "…"
	}
	return strings.TrimSpace(text + " " + link)
}
