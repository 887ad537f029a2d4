package plan_test

import (
	"fmt"
	"testing"

	"fiscube/cube/cubetest"
)

func TestBindTree_ListsThePassesThatATreeNeeds(t *testing.T) {
	if got := fmt.Sprint(cubetest.BindTree(t, cubetest.Places(t), "depth=2").Passes()); got != "[total rank page warn]" {
		t.Errorf("a tree needs %s", got)
	}
}
