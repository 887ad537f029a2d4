package api

import (
	"net/url"
	"strconv"

	"github.com/labstack/echo/v4"

	"fiscube/cube"
)

// exportMembers answers with the members of a plan as they come from the store.
func (a *api) exportMembers(c echo.Context, plan *cube.MemberPlan, asked membersAsked) error {
	plan, members, err := a.checkedMembers(c, plan)
	if err != nil {
		return err
	}
	s := a.memberSheet(c, plan, asked)
	var row []datum
	return export(c, s, rowsOf(members, func(m cube.MemberRow) ([]datum, error) {
		if m.Path == nil {
			countPages(c, plan.Cube().Version, plan.Page(), m.Count)
			return nil, s.fits(onPage(m.Count, plan.Page()))
		}
		row = appendMemberRow(row[:0], m, plan.Level().LabelRef != "")
		return row, nil
	}))
}

// memberSheet describes members as a table: the path, the label that is shown where the level has any, the rows and
// the first and last fiscal year. No field has a name like those of the latter.
func (a *api) memberSheet(c echo.Context, plan *cube.MemberPlan, asked membersAsked) sheet {
	question, one := plan.Question(), plan.Cube()
	clauses := clausesOf(question, "cut")
	for _, name := range []string{"q", "parent", "order"} {
		if text, ok := asked.given[name]; ok {
			clauses = append(clauses, [2]string{name, text})
		}
	}
	if page := plan.Page(); page != cube.Every {
		clauses = append(clauses, [2]string{"page", strconv.Itoa(page.Number)}, [2]string{"pagesize", strconv.Itoa(page.Size)})
	}
	said := []string{"members", plan.Level().Ref}
	if plan.Search() != "" {
		said = append(said, plan.Search())
	}
	said = append(append(said, admitted(question)...), worded(clauses, "cut", "q")...)
	return sheet{
		writing: asked.writing, one: one, file: fileName(one, said, clauses), columns: memberColumns(plan), question: clauses,
		link: a.base(c) + permanent(one, "members/"+url.PathEscape(pathParameter(c, "level")), clauses), warnings: carried(question),
	}
}

func memberColumns(plan *cube.MemberPlan) []column {
	var columns []column
	for _, key := range plan.Path() {
		columns = append(columns, column{name: key.Name, kind: kindOf(key)})
	}
	if label := plan.Level().LabelRef; label != "" {
		columns = append(columns, column{name: label})
	}
	year := kindText
	if column, ok := plan.Cube().Model.FiscalYear(); ok {
		year = kindOf(column)
	}
	return append(columns, column{name: "_rows", kind: kindWhole}, column{name: "_first_year", kind: year},
		column{name: "_last_year", kind: year})
}

func appendMemberRow(row []datum, m cube.MemberRow, labelled bool) []datum {
	for _, key := range m.Path {
		row = append(row, datum{value: key})
	}
	if labelled {
		row = append(row, datum{value: m.Label})
	}
	return append(row, datum{value: cube.Integer(m.Rows)}, datum{value: m.First}, datum{value: m.Last})
}
