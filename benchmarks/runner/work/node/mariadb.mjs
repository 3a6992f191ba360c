import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(`${process.env.DRIVERS}/`);
const mariadb = require("mariadb");

export function loaded() {
  const about = JSON.parse(readFileSync(`${process.env.DRIVERS}/node_modules/mariadb/package.json`, "utf8"));
  return { version: about.version, loaded: "JavaScript" };
}

export function connect(job) {
  const where = job.transport === "unix" ? { socketPath: job.socket } : { host: job.host, port: Number(job.port) };
  return mariadb.createConnection({ ...where, user: job.user, password: job.password, database: job.database, rowsAsArray: true });
}

export const unprepared = (connection, sql, values) => () => connection.query(sql, values);

export const batch = (connection, sql, values) => () => connection.batch(sql, values.map((value) => [value]));

export async function prepared(connection, sql, values) {
  const statement = await connection.prepare(sql);
  return () => statement.execute(values);
}
