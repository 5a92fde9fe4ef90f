package store

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// crashEnvironment names the database that the test binary is to write to, when
// it is run as the process that will be killed.
const crashEnvironment = "WAYMARK_STORE_CRASH_TEST"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashEnvironment); path != "" {
		writeUntilKilled(path)
	}
	os.Exit(m.Run())
}

// writeUntilKilled adds rules, one at a time and many at once, and says which
// ones were acknowledged.
func writeUntilKilled(path string) {
	fail := func(err error) {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	s, err := Open(Options{Path: path})
	if err != nil {
		fail(err)
	}
	workspace, err := s.FindWorkspace("Acme")
	if err != nil {
		fail(err)
	}
	w := workspace.ID
	trails, err := s.Trails(w)
	if err != nil {
		fail(err)
	}
	var group sync.WaitGroup
	for writer := range 4 {
		group.Go(func() {
			for {
				var acknowledged []string
				err := s.Update(w, func(tx *Tx) error {
					for range 1 + 20*writer {
						rule, err := tx.AddRule(Rule{TrailID: trails[0].ID, Text: "Written before the crash.", Class: ClassObligation, Status: StatusApproved}, "")
						if err != nil {
							return err
						}
						acknowledged = append(acknowledged, rule.ID)
					}
					return nil
				})
				if err != nil {
					fail(err)
				}
				fmt.Println(strings.Join(acknowledged, " "))
			}
		})
	}
	group.Wait()
}

func TestKilledWhileWriting(t *testing.T) {
	options := testOptions(t)
	s, w, _, _ := filled(t, options)
	s.Close()
	rounds := 4
	if testing.Short() {
		rounds = 1
	}
	for round := range rounds {
		acknowledged := kill(t, options.Path, 10+7*round)
		s, err := Open(options)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range acknowledged {
			rule, err := s.Rule(w, id)
			if err != nil || rule.Status != StatusApproved || rule.Text != "Written before the crash." {
				t.Fatalf("Rule(%q) after the crash = %+v, %v, want it as acknowledged", id, rule, err)
			}
		}
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("Check() after the crash = %v", err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// kill runs a writing process, kills it after so many lines and returns the ids
// that it acknowledged.
func kill(t *testing.T, path string, lines int) []string {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), crashEnvironment+"="+path)
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var acknowledged []string
	scanner := bufio.NewScanner(output)
	for n := 0; scanner.Scan(); n++ {
		acknowledged = append(acknowledged, strings.Fields(scanner.Text())...)
		if n == lines {
			if err := command.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := command.Wait(); err == nil || len(acknowledged) < lines {
		t.Fatalf("the writing process ended with %v after %d rules", err, len(acknowledged))
	}
	return acknowledged
}
