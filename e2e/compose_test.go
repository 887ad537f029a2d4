package e2e

import (
	"encoding/json"
	"net"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"fiscube/store/postgres/postgrestest"
)

// composed is what docker-compose.yml says of the service fiscube, as far as these tests need it.
type composed struct {
	command     []string
	environment map[string]string
	ports       string
}

// readCompose reads docker-compose.yml line by line: the file is ours, and no YAML reader is needed for it.
func readCompose(t *testing.T) composed {
	t.Helper()
	data, err := os.ReadFile("docker-compose.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, service, found := strings.Cut(string(data), "\n  fiscube:")
	if !found {
		t.Fatal("docker-compose.yml has no service fiscube")
	}
	c := composed{environment: map[string]string{}}
	command := regexp.MustCompile(`(?m)^    command: (\[.*\])$`).FindStringSubmatch(service)
	if command == nil || json.Unmarshal([]byte(command[1]), &c.command) != nil {
		t.Fatalf("the service has no command in one line: %q", command)
	}
	_, environment, _ := strings.Cut(service, "\n    environment:\n")
	for line := range strings.Lines(environment) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ": ")
		switch {
		case strings.HasPrefix(strings.TrimSpace(line), "#"):
			continue
		case !strings.HasPrefix(line, "      ") || !ok:
			c.ports = regexp.MustCompile(`(?m)^    ports:\n      - "(\S+)"`).FindStringSubmatch(service)[1]
			return c
		}
		value, _, _ = strings.Cut(value, " #")
		c.environment[name] = strings.Trim(value, `"`)
	}
	return c
}

// onThisMachine gives the variables with the places of this machine and the database of the test.
func (c composed) onThisMachine(t *testing.T, dsn string) (variables []string) {
	t.Helper()
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	here := map[string]string{
		"FISCUBE_DB": c.environment["FISCUBE_DB"], "FISCUBE_ADDR": "127.0.0.1:0", "TMPDIR": t.TempDir(), "PGHOST": config.Host,
		"PGUSER": config.User, "PGDATABASE": config.Database, "PGPASSWORD": config.Password,
	}
	for name := range c.environment {
		value, known := here[name]
		if !known {
			t.Errorf("the variable %s is unknown to this test", name)
		}
		variables = append(variables, name+"="+value)
	}
	return append(variables, "PGPORT="+strconv.Itoa(int(config.Port)))
}

// Docker is not to be had everywhere; what the service runs is.
func TestTheCommandOfDockerComposeServesTheSeeds(t *testing.T) {
	t.Parallel()
	dsn := postgrestest.DSN(t)
	c := readCompose(t)
	if c.environment["FISCUBE_DB"] != "postgres://" || len(c.environment) < 5 {
		t.Fatalf("the service has the variables %q", c.environment)
	}
	folder := t.TempDir()
	s := serving(t, startIn(t, folder, c.onThisMachine(t, dsn), c.command...))
	place := c.environment["FISCUBE_ADDR"]
	if _, port, err := net.SplitHostPort(place); err != nil || !strings.HasSuffix(c.ports, ":"+port) {
		t.Errorf("the service listens at %s and publishes %s", place, c.ports)
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, body := s.get(t, path); status != 200 {
			t.Errorf("GET %s: %d\n%s", path, status, body)
		}
	}
	servesTheSeeds(t, s)
	s.stop(t)
	if made, _ := os.ReadDir(folder); len(made) != 0 {
		t.Errorf("it made %v, and the container is read-only", made)
	}
	says(t, must(t, "list", "--db", dsn), "example-croatia")
}
