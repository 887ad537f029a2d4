package load

import (
	"context"
	"errors"

	"fiscube/cube"
	"fiscube/cube/fdp"
	"fiscube/cube/findings"
	"fiscube/cube/prose"
	"fiscube/store/load/files"
	"fiscube/store/load/points"
)

// CodeBadList is the finding of a code list that cannot be read.
const CodeBadList = "bad-code-list"

// CodeBadConstant is the finding of a field that the descriptor gives a value of another type.
const CodeBadConstant = "bad-constant"

// CodeTypeUnknown is the finding of a field of another type than Table Schema has.
const CodeTypeUnknown = "type-unknown"

// tellTypes notes the fields whose types are unknown, which are read as text.
func (r *resourceSurvey) tellTypes() {
	for _, f := range r.resource.FileFields() {
		if !fdp.IsType(f.Type) {
			told := findings.Finding{Code: CodeTypeUnknown, Severity: findings.SeverityWarning, Resource: r.resource.Name, Field: f.Name}
			r.findings.add(r.order, prose.Describe(told, "", findings.Params{"type": f.Type}), findings.Place{})
		}
	}
}

// newMaker makes what makes data points of the rows of the file; nil where they are data points.
func (r *resourceSurvey) newMaker(ctx context.Context) (*points.Maker, error) {
	if !points.Needed(r.resource) {
		return nil, nil
	}
	var lists []points.Rows
	if r.resource.Points != nil {
		for _, l := range r.resource.Points.Lists {
			lists = append(lists, r.listRows(ctx, l))
		}
	}
	maker, err := points.New(r.resource, lists, r.tellMistake)
	var constant *points.BadConstant
	var mistake *files.Mistake
	if err != nil && !errors.As(err, &constant) && !errors.As(err, &mistake) && ctx.Err() == nil {
		return nil, &files.Mistake{Code: CodeBadList, Message: err.Error()}
	}
	return maker, err
}

// listRows gives the rows of a code list.
func (r *resourceSurvey) listRows(ctx context.Context, l cube.CodeList) points.Rows {
	return func(yield func([]string, error) bool) {
		of := &cube.Resource{Name: l.Resource, Path: l.Path, Format: l.Format, Encoding: l.Encoding, Packed: l.Packed, Data: l.Data, Dialect: l.Dialect, Schema: cube.Schema{Fields: l.Fields}}
		t, err := files.OpenTable(ctx, r.source.files, of, func(p []byte) { r.progress.Add(int64(len(p)), 0) })
		if err != nil {
			yield(nil, err)
			return
		}
		defer t.Close()
		if err := t.Header(); err != nil {
			yield(nil, err)
			return
		}
		for row, err := range t.Rows() {
			if err == nil {
				err = row.Mistake
			}
			if !yield(row.Cells, err) || err != nil {
				return
			}
		}
	}
}

// tellMistake notes what is wrong with a cell of a row, which is loaded as it is.
func (r *resourceSurvey) tellMistake(m points.Mistake) {
	f := findings.Finding{Code: m.Code, Severity: findings.SeverityWarning, Resource: r.resource.Name, Field: m.Field}
	params := findings.Params{}
	if m.List != "" {
		params["list"] = m.List
	}
	if m.Constraint != "" {
		params["constraint"] = m.Constraint
	}
	r.findings.add(r.order, prose.Describe(f, "", params), findings.Place{Line: r.line, Cell: m.Cell})
}
