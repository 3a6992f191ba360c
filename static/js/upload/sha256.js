// A worker: SHA-256 of a file, piece by piece, since crypto.subtle takes whole buffers only.
// Gets a File, tells {done} while it reads, and {sha256} or {error} at the end. FIPS 180-4.
const PIECE = 4 * 2 ** 20; // whole blocks of 64 bytes
const primes = [];
for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
const fraction = (x) => ((x - Math.floor(x)) * 2 ** 32) >>> 0;
const K = Int32Array.from(primes, (p) => fraction(Math.cbrt(p)));
const W = new Int32Array(64);

function block(H, bytes, at) {
  for (let i = 0; i < 16; i++, at += 4) W[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
  for (let i = 16; i < 64; i++) {
    const x = W[i - 15], y = W[i - 2];
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    W[i] = (W[i - 16] + s0 + W[i - 7] + s1) | 0;
  }
  let [a, b, c, d, e, f, g, h] = H;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g; g = f; f = e; e = (d + t1) | 0; d = c; c = b; b = a; a = (t1 + t2) | 0;
  }
  H[0] += a; H[1] += b; H[2] += c; H[3] += d; H[4] += e; H[5] += f; H[6] += g; H[7] += h;
}

function last(H, rest, size) {
  const end = new Uint8Array(rest.length < 56 ? 64 : 128);
  end.set(rest);
  end[rest.length] = 0x80;
  new DataView(end.buffer).setBigUint64(end.length - 8, BigInt(size) * 8n);
  for (let at = 0; at < end.length; at += 64) block(H, end, at);
  return Array.from(H, (word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

async function sha256(file) {
  const H = Int32Array.from(primes.slice(0, 8), (p) => fraction(Math.sqrt(p)));
  let bytes = new Uint8Array(0);
  for (let done = 0; done < file.size; done += PIECE) {
    bytes = new Uint8Array(await file.slice(done, done + PIECE).arrayBuffer());
    for (let at = 0; at + 64 <= bytes.length; at += 64) block(H, bytes, at);
    postMessage({ done: done + bytes.length });
  }
  return last(H, bytes.subarray(bytes.length - (bytes.length % 64)), file.size);
}

onmessage = async ({ data }) => {
  try {
    postMessage({ sha256: await sha256(data) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
