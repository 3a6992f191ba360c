// One measurement of Go's driver in its own process; see ../README.md for the conversation.
package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	_ "github.com/go-sql-driver/mysql"
)

const module = "github.com/go-sql-driver/mysql"

type operation func() (string, error)

func main() {
	job := map[string]string{}
	for _, word := range os.Args[1:] {
		name, value, _ := strings.Cut(word, "=")
		job[name] = value
	}
	if err := measure(job); err != nil {
		say("error", map[string]any{"reason": err.Error()})
		os.Exit(1)
	}
}

func measure(job map[string]string) error {
	connection, err := connect(job)
	if err != nil {
		return err
	}
	defer connection.Close()
	run, err := prepare(connection, job)
	if err != nil {
		return err
	}
	before, err := run()
	if err != nil {
		return err
	}
	rate, err := warmed(run, number(job["warmup"]))
	if err != nil {
		return err
	}
	count := int(number(job["ops"]))
	if count == 0 {
		count = max(1, int(rate*number(job["seconds"])))
	}
	lines := bufio.NewReader(os.Stdin)
	say("ready", map[string]any{"version": version(), "loaded": "Go", "runtime": runtime.Version(), "check": before})
	lines.ReadString('\n')
	samples := [][2]int64{}
	for range int(number(job["samples"])) {
		sample, err := timed(run, count)
		if err != nil {
			return err
		}
		samples = append(samples, sample)
	}
	say("done", map[string]any{"ops": count, "samples": samples})
	lines.ReadString('\n')
	after, err := run()
	if err != nil {
		return err
	}
	say("checked", map[string]any{"check": after})
	return nil
}

func connectAndClose(job map[string]string) error {
	connection, err := connect(job)
	if err != nil {
		return err
	}
	// The pool would keep it otherwise.
	return connection.Raw(func(driver any) error { return driver.(io.Closer).Close() })
}

func connect(job map[string]string) (*sql.Conn, error) {
	where := fmt.Sprintf("tcp(%s:%s)", job["host"], job["port"])
	if job["transport"] == "unix" {
		where = fmt.Sprintf("unix(%s)", job["socket"])
	}
	// Parameters of an unprepared statement are written into it by the driver, as elsewhere.
	name := fmt.Sprintf("%s:%s@%s/%s?interpolateParams=%t", job["user"], job["password"], where,
		job["database"], job["prepare"] != "server")
	db, err := sql.Open("mysql", name)
	if err != nil {
		return nil, err
	}
	return db.Conn(context.Background())
}

func prepare(connection *sql.Conn, job map[string]string) (operation, error) {
	if job["sql"] == "CONNECT" {
		return func() (string, error) { return "0 x 0: ", connectAndClose(job) }, nil
	}
	ctx, text, values := context.Background(), job["sql"], parameters(job["binds"])
	exec := func() (sql.Result, error) { return connection.ExecContext(ctx, text, values...) }
	query := func() (*sql.Rows, error) { return connection.QueryContext(ctx, text, values...) }
	if job["prepare"] == "server" {
		statement, err := connection.PrepareContext(ctx, text)
		if err != nil {
			return nil, err
		}
		exec = func() (sql.Result, error) { return statement.ExecContext(ctx, values...) }
		query = func() (*sql.Rows, error) { return statement.QueryContext(ctx, values...) }
	}
	if strings.HasPrefix(text, "SELECT") {
		return func() (string, error) { return read(query()) }, nil
	}
	return func() (string, error) { _, err := exec(); return "0 x 0: ", err }, nil
}

func read(rows *sql.Rows, err error) (string, error) {
	if err != nil {
		return "", err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return "", err
	}
	fields, places := make([]any, len(names)), make([]any, len(names))
	for at := range fields {
		places[at] = &fields[at]
	}
	count, first := 0, ""
	for ; rows.Next(); count++ {
		if err := rows.Scan(places...); err != nil {
			return "", err
		}
		if count == 0 {
			first = text(fields[0])
		}
	}
	if count == 0 {
		return "0 x 0: ", rows.Err()
	}
	return strconv.Itoa(count) + " x " + strconv.Itoa(len(names)) + ": " + first, rows.Err()
}

func text(value any) string {
	switch one := value.(type) {
	case int64:
		return strconv.FormatInt(one, 10)
	case []byte:
		return string(one)
	}
	return fmt.Sprint(value)
}

// i:42;d:1.5;s:3 as 42, 1.5 and "xxx"
func parameters(spec string) []any {
	found := []any{}
	for _, one := range strings.Split(spec, ";") {
		switch {
		case one == "":
		case one[0] == 'i':
			found = append(found, int64(number(one[2:])))
		case one[0] == 'd':
			found = append(found, number(one[2:]))
		default:
			found = append(found, strings.Repeat("x", int(number(one[2:]))))
		}
	}
	return found
}

func warmed(run operation, seconds float64) (float64, error) {
	begun := time.Now()
	for done := 1; ; done++ {
		if _, err := run(); err != nil {
			return 0, err
		}
		if spent := time.Since(begun).Seconds(); spent >= seconds {
			return float64(done) / spent, nil
		}
	}
}

func timed(run operation, count int) ([2]int64, error) {
	before, begun := cpu(), time.Now()
	for range count {
		if _, err := run(); err != nil {
			return [2]int64{}, err
		}
	}
	return [2]int64{time.Since(begun).Nanoseconds(), cpu() - before}, nil
}

func cpu() int64 {
	var usage syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func version() string {
	about, _ := debug.ReadBuildInfo()
	for _, one := range about.Deps {
		if one.Path == module {
			return strings.TrimPrefix(one.Version, "v")
		}
	}
	return ""
}

func number(word string) float64 {
	value, _ := strconv.ParseFloat(word, 64)
	return value
}

func say(word string, facts map[string]any) {
	line, _ := json.Marshal(facts)
	fmt.Println(word, string(line))
}
