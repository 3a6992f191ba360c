/* One process of a measurement: connects, warms up, prints the nanoseconds of each iteration. */
#include <mysql.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static MYSQL *connection;
static MYSQL_STMT *statement;

static void fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, mysql_error(connection));
	exit(1);
}

static void once(const char *query)
{
	MYSQL_RES *result;

	if (statement) {
		if (mysql_stmt_execute(statement))
			fail("execute");
		return;
	}
	if (mysql_query(connection, query))
		fail("query");
	result = mysql_store_result(connection);
	if (result)
		mysql_free_result(result);
}

int main(int argc, char **argv)
{
	struct timespec from, to;
	int iterations, operations, i, n;

	if (argc != 6)
		return 2;
	iterations = atoi(argv[3]);
	operations = atoi(argv[4]);
	connection = mysql_init(NULL);
	if (!mysql_real_connect(connection, NULL, argv[5], NULL, NULL, 0, argv[1], 0))
		fail("connect");
	if (strncmp(argv[2], "prepared ", 9) == 0) {
		statement = mysql_stmt_init(connection);
		if (mysql_stmt_prepare(statement, argv[2] + 9, strlen(argv[2] + 9)))
			fail("prepare");
	}
	for (n = 0; n < operations; n++)
		once(argv[2]);
	for (i = 0; i < iterations; i++) {
		clock_gettime(CLOCK_MONOTONIC, &from);
		for (n = 0; n < operations; n++)
			once(argv[2]);
		clock_gettime(CLOCK_MONOTONIC, &to);
		printf("%s%lld", i ? "," : "",
		       ((to.tv_sec - from.tv_sec) * 1000000000LL + to.tv_nsec - from.tv_nsec) / operations);
	}
	puts("");
	return 0;
}
