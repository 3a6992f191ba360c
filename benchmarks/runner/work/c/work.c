/* One measurement of the C library in its own process; see ../README.md for the conversation.
   With -DEMBEDDED it is linked with the server's library and keeps its tables in `datadir`. */

#include <errno.h>
#include <mysql.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef my_bool flag;

enum { MOST_BINDS = 2000, MOST_FIELDS = 200, MOST_SAMPLES = 1000 };

static int words_count;
static char **words;

static MYSQL *connection;
static MYSQL_STMT *statement;
static MYSQL_BIND in[MOST_BINDS], out[MOST_FIELDS];
static unsigned long in_length[MOST_BINDS], out_length[MOST_FIELDS];
static flag out_null[MOST_FIELDS];
static char *text; /* the statement, with its parameters written in */
static char first[64];
static unsigned long rows, fields;

static const char *word(const char *name, const char *otherwise) {
    size_t length = strlen(name);
    for (int at = 1; at < words_count; at++)
        if (!strncmp(words[at], name, length) && words[at][length] == '=')
            return words[at] + length + 1;
    return otherwise;
}

static void print_string(const char *value) {
    putchar('"');
    for (; *value; value++) {
        if (*value == '"' || *value == '\\') putchar('\\');
        putchar((unsigned char)*value < ' ' ? ' ' : *value);
    }
    putchar('"');
}

static void fail(const char *reason) {
    fputs("error {\"reason\": ", stdout);
    print_string(reason);
    puts("}");
    fflush(stdout);
    _Exit(1);
}

static void *memory(size_t size) {
    void *found = calloc(1, size ? size : 1);
    if (!found) fail("no memory");
    return found;
}

static long long now(clockid_t clock) {
    struct timespec moment;
    clock_gettime(clock, &moment);
    return moment.tv_sec * 1000000000LL + moment.tv_nsec;
}

/* i:42;d:1.5;s:3 as values: a number, a number, a text of so many x */
static int read_binds(const char *spec) {
    int count = 0;
    while (*spec && count < MOST_BINDS) {
        MYSQL_BIND *one = &in[count];
        if (*spec == 'i') {
            long long *value = memory(sizeof *value);
            *value = atoll(spec + 2);
            one->buffer_type = MYSQL_TYPE_LONGLONG, one->buffer = value;
        } else if (*spec == 'd') {
            double *value = memory(sizeof *value);
            *value = atof(spec + 2);
            one->buffer_type = MYSQL_TYPE_DOUBLE, one->buffer = value;
        } else {
            in_length[count] = strtoul(spec + 2, NULL, 10);
            one->buffer_type = MYSQL_TYPE_STRING, one->buffer = memory(in_length[count] + 1);
            memset(one->buffer, 'x', in_length[count]);
            one->buffer_length = in_length[count], one->length = &in_length[count];
        }
        count++;
        spec = strchr(spec, ';') ? strchr(spec, ';') + 1 : "";
    }
    return count;
}

static size_t write_bind(char *to, const MYSQL_BIND *one) {
    if (one->buffer_type == MYSQL_TYPE_LONGLONG) return sprintf(to, "%lld", *(long long *)one->buffer);
    if (one->buffer_type == MYSQL_TYPE_DOUBLE) return sprintf(to, "%.17g", *(double *)one->buffer);
    size_t length = mysql_real_escape_string(connection, to + 1, one->buffer, one->buffer_length);
    to[0] = '\'', to[length + 1] = '\'';
    return length + 2;
}

/* The statement with its parameters in the place of the question marks: done at each execution,
   because that is what an unprepared statement costs. */
static size_t write_statement(const char *sql) {
    size_t at = 0;
    int bind = 0;
    for (; *sql; sql++)
        if (*sql == '?') at += write_bind(text + at, &in[bind++]);
        else text[at++] = *sql;
    return at;
}

static const char *sql;
static int binds;
static size_t plain_length;

static void unprepared(void) {
    size_t length = binds ? write_statement(sql) : plain_length;
    if (mysql_real_query(connection, binds ? text : sql, length)) fail(mysql_error(connection));
    MYSQL_RES *result = mysql_store_result(connection);
    rows = fields = 0;
    if (!result) {
        if (mysql_field_count(connection)) fail(mysql_error(connection));
        return;
    }
    fields = mysql_num_fields(result);
    for (MYSQL_ROW row; (row = mysql_fetch_row(result)); rows++)
        if (!rows) snprintf(first, sizeof first, "%s", row[0] ? row[0] : "");
    mysql_free_result(result);
}

static void bind_result(void) {
    MYSQL_RES *result = mysql_stmt_result_metadata(statement);
    fields = 0;
    if (!result) return;
    fields = mysql_num_fields(result);
    if (fields > MOST_FIELDS) fail("too many fields");
    MYSQL_FIELD *field = mysql_fetch_fields(result);
    for (unsigned long at = 0; at < fields; at++) {
        int whole = field[at].type == MYSQL_TYPE_TINY || field[at].type == MYSQL_TYPE_SHORT ||
                    field[at].type == MYSQL_TYPE_INT24 || field[at].type == MYSQL_TYPE_LONG ||
                    field[at].type == MYSQL_TYPE_LONGLONG || field[at].type == MYSQL_TYPE_YEAR;
        int broken = field[at].type == MYSQL_TYPE_FLOAT || field[at].type == MYSQL_TYPE_DOUBLE;
        size_t size = whole || broken ? 8 : 128 * 1024;
        out[at].buffer_type = whole ? MYSQL_TYPE_LONGLONG : broken ? MYSQL_TYPE_DOUBLE : MYSQL_TYPE_STRING;
        out[at].buffer = memory(size), out[at].buffer_length = size;
        out[at].length = &out_length[at], out[at].is_null = &out_null[at];
    }
    mysql_free_result(result);
    if (mysql_stmt_bind_result(statement, out)) fail(mysql_stmt_error(statement));
}

static void prepare(void) {
    statement = mysql_stmt_init(connection);
    if (!statement || mysql_stmt_prepare(statement, sql, strlen(sql)))
        fail(statement ? mysql_stmt_error(statement) : "no memory");
    if (binds && mysql_stmt_bind_param(statement, in)) fail(mysql_stmt_error(statement));
    bind_result();
}

static void prepared(void) {
    if (mysql_stmt_execute(statement)) fail(mysql_stmt_error(statement));
    rows = 0;
    if (!fields) return;
    if (mysql_stmt_store_result(statement)) fail(mysql_stmt_error(statement));
    for (int status; (status = mysql_stmt_fetch(statement)) != MYSQL_NO_DATA; rows++) {
        if (status == 1) fail(mysql_stmt_error(statement));
        if (status == MYSQL_DATA_TRUNCATED) fail("a field is larger than its buffer");
        if (!rows && out[0].buffer_type == MYSQL_TYPE_LONGLONG)
            snprintf(first, sizeof first, "%lld", *(long long *)out[0].buffer);
    }
    mysql_stmt_free_result(statement);
}

static void connect_server(void) {
    connection = mysql_init(NULL);
    if (!connection) fail("no memory");
#ifdef EMBEDDED
    mysql_options(connection, MYSQL_OPT_USE_EMBEDDED_CONNECTION, NULL);
    if (!mysql_real_connect(connection, NULL, NULL, NULL, NULL, 0, NULL, 0)) fail(mysql_error(connection));
#else
    const char *socket = NULL, *host = NULL;
    unsigned int protocol = MYSQL_PROTOCOL_TCP;
    if (!strcmp(word("transport", ""), "unix")) protocol = MYSQL_PROTOCOL_SOCKET, socket = word("socket", "");
    else host = word("host", "127.0.0.1");
    mysql_options(connection, MYSQL_OPT_PROTOCOL, &protocol);
    if (!mysql_real_connect(connection, host, word("user", ""), word("password", ""),
                            word("database", NULL), atoi(word("port", "0")), socket, 0))
        fail(mysql_error(connection));
#endif
}

/* What the runner asks a server for before a measurement, an embedded one is asked for here. */
static void set_up(void) {
    for (int at = 1; at < words_count; at++)
        if (!strncmp(words[at], "setup=", 6) && mysql_query(connection, words[at] + 6))
            fail(mysql_error(connection));
}

static void connect_and_close(void) {
    mysql_close(connection);
    connect_server();
}

static void wait_for_line(void) {
    for (int one; (one = getchar()) != '\n' && one != EOF;) {}
}

static void *measure(void *unused) {
    (void)unused;
    mysql_thread_init();
    connect_server();
    set_up();
    sql = word("sql", ""), plain_length = strlen(sql);
    binds = read_binds(word("binds", ""));
    size_t room = plain_length + 64;
    for (int at = 0; at < binds; at++) room += 2 * in[at].buffer_length + 64;
    text = memory(room);
    void (*operation)(void) = unprepared;
    if (!strcmp(word("prepare", "none"), "server")) prepare(), operation = prepared;
    if (!strcmp(sql, "CONNECT")) operation = connect_and_close;
    operation();
    char check[128];
    snprintf(check, sizeof check, "%lu x %lu: %s", rows, rows ? fields : 0, rows ? first : "");

    long long warm = atof(word("warmup", "0.3")) * 1e9, begun = now(CLOCK_MONOTONIC), spent = 0;
    long done = 0, count = atol(word("ops", "0"));
    do operation(), done++, spent = now(CLOCK_MONOTONIC) - begun;
    while (spent < warm);
    if (!count) count = done * atof(word("seconds", "0.2")) * 1e9 / spent;
    if (count < 1) count = 1;

    const char *link = word("link", "");
    printf("ready {\"version\": \"%s\", \"loaded\": \"%s %s, %s\", \"runtime\": \"gcc %s -O2\", \"check\": \"%s\"}\n",
           mysql_get_client_info(), strcmp(link, "embedded") ? "libmariadb" : "libmariadbd",
           mysql_get_client_info(), link, __VERSION__, check);
    fflush(stdout);
    wait_for_line();

    static long long wall[MOST_SAMPLES], cpu[MOST_SAMPLES];
    int samples = atoi(word("samples", "5"));
    if (samples > MOST_SAMPLES) samples = MOST_SAMPLES;
    for (int sample = 0; sample < samples; sample++) {
        cpu[sample] = now(CLOCK_PROCESS_CPUTIME_ID), wall[sample] = now(CLOCK_MONOTONIC);
        for (long at = 0; at < count; at++) operation();
        wall[sample] = now(CLOCK_MONOTONIC) - wall[sample];
        cpu[sample] = now(CLOCK_PROCESS_CPUTIME_ID) - cpu[sample];
    }
    printf("done {\"ops\": %ld, \"samples\": [", count);
    for (int sample = 0; sample < samples; sample++)
        printf("%s[%lld, %lld]", sample ? ", " : "", wall[sample], cpu[sample]);
    puts("]}");
    fflush(stdout);
    wait_for_line();
    operation();
    printf("checked {\"check\": \"%lu x %lu: %s\"}\n", rows, rows ? fields : 0, rows ? first : "");
    fflush(stdout);
    if (statement) mysql_stmt_close(statement);
    mysql_close(connection);
    mysql_thread_end();
    return NULL;
}

int main(int count, char **given) {
    words_count = count, words = given;
#ifdef EMBEDDED
    char datadir[4096];
    snprintf(datadir, sizeof datadir, "--datadir=%s", word("datadir", "."));
    char *options[] = {"work", "--no-defaults", datadir, "--skip-innodb", "--skip-grant-tables",
                       "--default-storage-engine=MyISAM", "--skip-log-bin", NULL};
    if (mysql_server_init(7, options, NULL)) fail("the embedded server does not start");
#else
    if (mysql_library_init(0, NULL, NULL)) fail("the library does not start");
#endif
    if (!strcmp(word("thread", "main"), "worker")) {
        pthread_t worker;
        if (pthread_create(&worker, NULL, measure, NULL)) fail("no thread");
        pthread_join(worker, NULL);
    } else {
        measure(NULL);
    }
    mysql_library_end();
    return 0;
}
