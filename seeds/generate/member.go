package main

import (
	"slices"
	"strconv"
	"strings"
)

// A member is one code of a classification, with the labels it bore over the years.
type member struct {
	code     string
	labels   []naming
	children []*member
}

// A naming is a label and the first year it was used.
type naming struct {
	since int
	label string
}

// tree reads a classification, one member a line: code, space, label, two spaces of indentation per
// level. A label that changed is written "code old | 2018 new"; ␣ is a space that has to be seen, ⍽ one
// that does not break. A code alone has no label. The root returned is no member itself.
func tree(text string) *member {
	open := []*member{{}}
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(line)
		if body == "" {
			continue
		}
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		m, parent := parseMember(body), open[depth]
		parent.children = append(parent.children, m)
		open = append(open[:depth+1], m)
	}
	return open[0]
}

var visibleSpaces = strings.NewReplacer("␣", " ", "⍽", "\u00a0")

// parseMember reads one line of a tree.
func parseMember(text string) *member {
	code, text, _ := strings.Cut(text, " ")
	m := &member{code: visibleSpaces.Replace(code)}
	for i, label := range strings.Split(text, " | ") {
		since := 0
		if i > 0 {
			var year string
			year, label, _ = strings.Cut(label, " ")
			since, _ = strconv.Atoi(year)
		}
		m.labels = append(m.labels, naming{since, visibleSpaces.Replace(label)})
	}
	return m
}

// label returns the label in use in that year.
func (m *member) label(year int) string {
	label := ""
	for _, n := range m.labels {
		if n.since <= year {
			label = n.label
		}
	}
	return label
}

// path returns the members named by codes joined with slashes, from the top; an unknown one is a
// mistake in the seed.
func (m *member) path(codes string) []*member {
	var path []*member
	for code := range strings.SplitSeq(codes, "/") {
		i := slices.IndexFunc(m.children, func(c *member) bool { return c.code == code })
		if i < 0 {
			panic("no member " + codes)
		}
		m = m.children[i]
		path = append(path, m)
	}
	return path
}
