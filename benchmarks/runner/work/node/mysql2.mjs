import { createRequire } from "node:module";

const require = createRequire(`${process.env.DRIVERS}/`);
const mysql = require("mysql2/promise");

export const loaded = () => ({ version: require("mysql2/package.json").version, loaded: "JavaScript" });

export function connect(job) {
  const where = job.transport === "unix" ? { socketPath: job.socket } : { host: job.host, port: Number(job.port) };
  return mysql.createConnection({ ...where, user: job.user, password: job.password, database: job.database, rowsAsArray: true });
}

export const unprepared = (connection, sql, values) => async () => (await connection.query(sql, values))[0];

export const batch = (connection, sql, values) => async () =>
  (await connection.query(sql.replace("(?)", "?"), [values.map((value) => [value])]))[0];

export const prepared = (connection, sql, values) => async () => (await connection.execute(sql, values))[0];
