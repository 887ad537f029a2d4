package api

import (
	"bufio"
	"strconv"

	"fiscube/cube"
)

// membersJSON writes members as JSON, one after the other; the first row is their number. Errors stick to the writer.
type membersJSON struct {
	rows int // that are written
}

// membersHead is what stands before the members.
type membersHead struct {
	Status           string `json:"status"`
	Cube             string `json:"cube"`
	Version          int    `json:"version"`
	Synthetic        bool   `json:"synthetic"`
	TotalMemberCount int64  `json:"total_member_count"`
}

// membersTail is what stands after them.
type membersTail struct {
	Page     int       `json:"page"`
	PageSize int       `json:"page_size"`
	Warnings []warning `json:"warnings"`
}

func (m *membersJSON) write(out *bufio.Writer, plan *cube.MemberPlan, row cube.MemberRow) error {
	b := out.AvailableBuffer()
	if row.Path == nil {
		one := plan.Cube()
		head := marshal(membersHead{"ok", one.Name, one.Version, one.Synthetic, row.Count})
		b = append(append(b, head[:len(head)-1]...), `,"members":[`...)
	} else {
		if m.rows++; m.rows > 1 {
			b = append(b, ',')
		}
		b = appendMember(b, row)
	}
	_, err := out.Write(b)
	return err
}

func (m *membersJSON) end(out *bufio.Writer, plan *cube.MemberPlan) {
	page := plan.Page()
	if page == cube.Every {
		page.Size = m.rows
	}
	tail := marshal(membersTail{page.Number, page.Size, append([]warning{}, plan.Warnings()...)})
	_, _ = out.WriteString("],")
	_, _ = out.Write(tail[1:])
}

func appendMember(b []byte, row cube.MemberRow) []byte {
	b = appendString(append(b, `{"path":`...), cube.PathText(row.Path))
	b = appendValue(append(b, `,"key":`...), row.Path[len(row.Path)-1])
	b = appendValue(append(b, `,"label":`...), row.Label)
	b = append(b, `,"labels":[`...)
	for i, use := range row.Labels {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendLabelUse(b, use)
	}
	b = append(b, `],"years":`...)
	if row.First.IsMissing() {
		b = append(b, "null"...)
	} else {
		b = append(appendValue(append(appendValue(append(b, '['), row.First), ','), row.Last), ']')
	}
	return append(strconv.AppendInt(append(b, `,"rows":`...), row.Rows, 10), '}')
}

func appendLabelUse(b []byte, use cube.LabelUse) []byte {
	b = append(appendString(append(b, `{"label":`...), use.Text), `,"years":[`...)
	for i, year := range use.Years {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(b, year, 10)
	}
	return append(b, "]}"...)
}
