package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// treeNode is what these tests read of a node.
type treeNode struct {
	Path      string
	Key       any
	Label     any
	Drilldown string      `json:"_drilldown"`
	Others    int         `json:"_others"`
	Approved  json.Number `json:"approved.sum"`
	Children  []treeNode
}

func (n treeNode) String() string {
	text := n.Path + "=" + n.Approved.String()
	if n.Others > 0 {
		text = "others=" + n.Approved.String()
	}
	if len(n.Children) == 0 {
		return text
	}
	return text + nodesText(n.Children)
}

func nodesText(nodes []treeNode) string {
	texts := make([]string, len(nodes))
	for i, n := range nodes {
		texts[i] = n.String()
	}
	return "[" + strings.Join(texts, " ") + "]"
}

func TestATreeIsWalkedThroughParents(t *testing.T) {
	sideBySide(t, func(t *testing.T, db string) {
		s := handService(t, db)
		for _, tt := range []struct{ name, question, want string }{
			{"the top", "entity?", "[1=150.00 2=40.00 3=5.00]"},
			{"a missing middle level is a member", "entity?depth=2", "[1=150.00[1/01=140.00 1/=10.00] 2=40.00[2/01=40.00] 3=5.00[3/01=5.00]]"},
			{"to the leaves", "entity?depth=9&cut=year:2021&path=1", "[1/01=50.00[1/01/a=20.00 1/01/b=30.00] 1/=10.00[1//c=10.00]]"},
			{"under a missing member", "entity?path=1/", "[1//c=10.00]"},
			{"a missing leaf", "entity?path=3/01", "[3/01/=5.00]"},
			{"the largest first", "entity?order=approved.sum:desc&cut=year:2021", "[1=60.00 2=40.00]"},
			{"what is left out of each is told", "entity?depth=2&top=1&remainder=1", "[1=150.00[1/01=140.00 others=10.00] 2=40.00[2/01=40.00] 3=5.00[3/01=5.00]]"},
			{"having goes by a node's own total", "entity?having=approved.sum>20", "[1=150.00 2=40.00]"},
			{"which is the same however deep", "entity?depth=2&having=approved.sum>20", "[1=150.00[1/01=140.00] 2=40.00[2/01=40.00]]"},
			{"nodes above one that is shown", "entity?depth=3&having=approved.sum<10", "[3=5.00[3/01=5.00[3/01/=5.00]]]"},
			{"even those that do not meet it", "entity?depth=2&having=approved.sum=10", "[1=150.00[1/=10.00]]"},
			{"a chain that ends earlier", "unit?depth=9&cut=year:2022", "[1=90.00[1/01=90.00] 3=5.00[3/01=5.00]]"},
			{"nothing is there", "entity?cut=year:1999", "[]"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				var answer struct{ Nodes []treeNode }
				s.read(t, "/cubes/hand/tree/"+tt.question+"&aggregates=approved.sum", &answer)
				if got := nodesText(answer.Nodes); got != tt.want {
					t.Errorf("got  %s\nwant %s", got, tt.want)
				}
			})
		}
	})
}

func TestATreeSaysWhatIsBelow(t *testing.T) {
	s := handService(t, freshDuckDB(t))
	var answer struct{ Nodes []treeNode }
	s.read(t, "/cubes/hand/tree/entity?depth=3&path=1", &answer)
	unit := answer.Nodes[0]
	if unit.Key != "01" || unit.Label != "Hospitals" || unit.Drilldown != "item" || unit.Children[0].Drilldown != "" {
		t.Errorf("got %+v", unit)
	}
}

func TestMistakesOfATree(t *testing.T) {
	s := handService(t, freshDuckDB(t))
	for path, want := range map[string]string{
		"entty": "did you mean entity?", "approved": "is a measure", "entity/": "",
	} {
		status, body := s.get(t, "/cubes/hand/tree/"+path)
		if want == "" && status != http.StatusOK || want != "" && status != http.StatusNotFound || !strings.Contains(string(body), want) {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	for _, tt := range []struct{ path, parameter, message string }{
		{"entity?path=1/01/a", "path", "nothing is under a path of 3 keys"},
		{"entity?path=1/01/a/b", "path", "nothing is under a path of 4 keys"},
		{"entity?path=1|2", "path", `found \"|\"`},
		{"date?path=soon", "path", "nothing is under"},
		{"entity?depth=0", "depth", "not a whole number"},
		{"entity?drilldown=area", "drilldown", "no parameter"},
		{"entity?page=2", "page", "no parameter"},
	} {
		status, body := s.get(t, "/cubes/hand/tree/"+tt.path)
		if status != http.StatusBadRequest || !strings.Contains(string(body), tt.message) ||
			!strings.Contains(string(body), `"parameter":"`+tt.parameter+`"`) {
			t.Errorf("%s: %d %s", tt.path, status, body)
		}
	}
}
