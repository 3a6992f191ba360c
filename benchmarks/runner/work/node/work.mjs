// One measurement of one Node driver in its own process; see ../README.md for the conversation.

import { readSync } from "node:fs";

function job() {
  return Object.fromEntries(
    process.argv.slice(2).map((word) => [word.slice(0, word.indexOf("=")), word.slice(word.indexOf("=") + 1)]),
  );
}

// i:42;d:1.5;s:3 as 42, 1.5 and "xxx"
function parameters(spec) {
  return spec
    .split(";")
    .filter(Boolean)
    .map((one) => (one[0] === "s" ? "x".repeat(Number(one.slice(2))) : Number(one.slice(2))));
}

const say = (word, facts) => process.stdout.write(`${word} ${JSON.stringify(facts)}\n`);

function waitForLine() {
  const one = Buffer.alloc(1);
  while (readSync(0, one, 0, 1) === 1 && one[0] !== 10);
}

function checked(rows) {
  if (!Array.isArray(rows) || rows.length === 0) return "0 x 0: ";
  return `${rows.length} x ${rows[0].length}: ${rows[0][0]}`;
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) * 1000;
};

async function timed(operation, count) {
  const before = cpu();
  const begun = process.hrtime.bigint();
  for (let at = 0; at < count; at++) await operation();
  return [Number(process.hrtime.bigint() - begun), cpu() - before];
}

async function warmed(operation, seconds) {
  const begun = process.hrtime.bigint();
  let done = 0;
  let spent;
  do {
    await operation();
    done++;
    spent = Number(process.hrtime.bigint() - begun);
  } while (spent < seconds * 1e9);
  return (done * 1e9) / spent;
}

async function measure(words) {
  const driver = await import(words.driver);
  const connection = await driver.connect(words);
  const values = parameters(words.binds);
  const one = words.prepare === "server" ? driver.prepared : driver.unprepared;
  const how = words.sql.startsWith("INSERT") && values.length > 1 ? driver.batch : one;
  const connect = async () => (await driver.connect(words)).end();
  const operation = words.sql === "CONNECT" ? connect : await how(connection, words.sql, values);
  const before = checked(await operation());
  const rate = await warmed(operation, Number(words.warmup));
  const count = Number(words.ops) || Math.max(1, Math.round(rate * Number(words.seconds)));
  say("ready", { ...driver.loaded(), runtime: `Node.js ${process.versions.node}`, check: before });
  waitForLine();
  const samples = [];
  for (let at = 0; at < Number(words.samples); at++) samples.push(await timed(operation, count));
  say("done", { ops: count, samples });
  waitForLine();
  say("checked", { check: checked(await operation()) });
}

try {
  await measure(job());
  process.exit(0);
} catch (problem) {
  say("error", { reason: `${problem.name}: ${problem.message}`.slice(0, 900) });
  process.exit(1);
}
