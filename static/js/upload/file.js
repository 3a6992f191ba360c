// One file on its way to the upload API: read for its SHA-256, announced, sent in chunks, checked.
const LARGEST = 8 * 2 ** 20, SMALLEST = 2 ** 18, RETRIED = [408, 423, 425, 429, 500, 502, 503, 504];
const pauseFor = (ms) => new Promise((done) => setTimeout(done, ms));

export class Refused extends Error {}

// `gate` waits while the person paused, and gives the signal that the next pause will raise.
export class Portal {
  constructor(token, gate, onWait, lost) { Object.assign(this, { token, gate, onWait, lost }); }

  async ask(method, path, body, headers = {}) {
    for (let pause = 500; ; pause = Math.min(2 * pause, 15000)) {
      const signal = await this.gate();
      let answer;
      try {
        answer = await fetch("/api/v1/uploads" + path, { method, body, signal, redirect: "error", headers: { "X-CSRFToken": this.token, ...headers } });
        if (!RETRIED.includes(answer.status)) return answer;
      } catch {
        if (signal.aborted) { pause = 250; continue; }
      }
      this.onWait();
      await pauseFor(pause);
    }
  }

  async json(method, path, value) {
    const headers = { "Content-Type": "application/json" };
    const answer = await this.ask(method, path, value && JSON.stringify(value), headers);
    const found = await answer.json().catch(() => null);
    if (!answer.ok || !found) throw new Refused(typeof found?.detail === "string" ? found.detail : this.lost);
    return found;
  }

  async append(id, offset, data) {
    const answer = await this.ask("PATCH", `/${id}`, data, { "Upload-Offset": offset, "Content-Type": "application/offset+octet-stream" });
    const reached = Number(answer.headers.get("Upload-Offset") ?? NaN);
    if (answer.status === 204 || (answer.status === 409 && reached !== offset && !Number.isNaN(reached))) return reached;
    throw new Refused((await answer.json().catch(() => null))?.detail ?? this.lost);
  }
}

export function digest(worker, file, onProgress) {
  return new Promise((done, failed) => {
    worker.onerror = () => failed(new Error("sha256.js"));
    worker.onmessage = ({ data }) => {
      if (data.sha256) done(data.sha256);
      else if (data.error) failed(new Error(data.error));
      else onProgress(data.done);
    };
    worker.postMessage(file);
  });
}

// Announce, send what is missing, finish, and wait for the result of the check.
export async function send(portal, file, announcement, { onProgress, onState }) {
  let found = await portal.json("POST", "", announcement);
  let offset = found.offset, length = 2 ** 20;
  onProgress(offset, true);
  while (found.state === "open" && offset < file.size) {
    const data = await file.slice(offset, offset + length).arrayBuffer(), since = performance.now();
    onState("sending");
    offset = await portal.append(found.id, offset, data);
    onProgress(offset);
    const took = performance.now() - since;
    length = took < 1000 ? Math.min(2 * length, LARGEST) : took > 4000 ? Math.max(length / 2, SMALLEST) : length;
  }
  if (found.state === "open") found = await portal.json("POST", `/${found.id}/finish`, {});
  for (let pause = 200; found.state === "received"; pause = Math.min(1.5 * pause, 5000)) {
    onState("received");
    await pauseFor(pause);
    found = await portal.json("GET", `/${found.id}`);
  }
  return found;
}
