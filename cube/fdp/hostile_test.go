package fdp

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func timed(t *testing.T, name, text string) {
	start := time.Now()
	p, err := Read([]byte(text))
	msg := ""
	if err != nil {
		msg = err.Error()
	}
	fmt.Printf("%s %d bytes: %v ok=%v errlen=%d %s\n", name, len(text), time.Since(start), p != nil, len(msg), msg[:min(len(msg), 150)])
}

func TestHostile(t *testing.T) {
	var f, a, k []string
	for i := range 1500 {
		f = append(f, fmt.Sprintf(`{"name":"a%d","type":"string"}`, i))
		k = append(k, fmt.Sprintf(`"a%d"`, i))
		par := ""
		if i > 0 {
			par = fmt.Sprintf(`"parent":"a%d"`, i-1)
		}
		a = append(a, fmt.Sprintf(`"a%d":{%s}`, i, par))
	}
	schema := `{"fields":[` + strings.Join(f, ",") + `]}`
	dim := `{"primaryKey":[` + strings.Join(k, ",") + `],"attributes":{` + strings.Join(a, ",") + `}}`
	timed(t, "chain", `{"name":"x","resources":[{"name":"a","path":"a"}],"schema":`+schema+`,"model":{"dimensions":{"d":`+dim+`}}}`)
	var ds []string
	for i := range 300 {
		ds = append(ds, fmt.Sprintf(`"d%d":%s`, i, strings.ReplaceAll(dim, `"a`, fmt.Sprintf(`"b%d`, i))))
	}
	timed(t, "dims", `{"name":"x","resources":[{"name":"a","path":"a"}],"schema":`+schema+`,"model":{"dimensions":{`+strings.Join(ds, ",")+`}}}`)
	var rs []string
	for i := range 10000 {
		rs = append(rs, fmt.Sprintf(`{"name":"r%d","path":"a","model":{"dimensions":{"d":{}}}}`, i))
	}
	timed(t, "resources", `{"name":"x","resources":[`+strings.Join(rs, ",")+`],"schema":`+schema+`,"model":{"dimensions":{"d":`+dim+`}}}`)
	timed(t, "empties", `{"name":"x","resources":[`+strings.Repeat("{},", 9999)+`{}],"schema":{"fields":[`+strings.Repeat("{},", 4000000)+`{}]}}`)
	timed(t, "sample", `{"name":"x","sample":[[`+strings.Repeat("0,", 7000000)+`0]]}`)
	timed(t, "keys", `{"name":"x",`+strings.Repeat(`"":0,`, 3000000)+`"":0}`)
	timed(t, "deep", strings.Repeat("[", 15000000))
	timed(t, "name", `{"name":"`+strings.Repeat("x", 15000000)+`"}`)
}
