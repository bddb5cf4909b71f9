import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';

import { backOffMs, sleep, unlessMissing } from '#platform';

/** A file to download. */
export interface Download {
  readonly url: string;
  /** Name in messages. */
  readonly name: string;
  readonly sha256: string;
  /** Maximum size. Default 512 MiB. */
  readonly maxBytes?: number;
  /** Longest wait for the next bytes. Default 60 s. */
  readonly stallMs?: number;
  /** First pause after a break; doubles with each further one. Default 1 s. */
  readonly pauseMs?: number;
}

const MAX_BYTES = 512 * 1024 * 1024;
const STALL_MS = 60_000;
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 16_000;
const ATTEMPTS = 6;

/** The transfer ended early, or the server is not ready; a further attempt continues. */
class BrokenTransferError extends Error {}

/**
 * Downloads a file to disk and verifies its SHA-256 while it arrives. The target keeps what arrived
 * before a break, so that the next attempt or the next call continues there by range. A file with
 * another hash is removed.
 *
 * @throws Error for a refused, broken, too large or wrong file.
 */
export async function downloadFile(download: Download, target: string): Promise<void> {
  const { pauseMs: firstMs = PAUSE_MS } = download;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await transfer(download, target);
      return;
    } catch (error) {
      if (!(error instanceof BrokenTransferError) || attempt === ATTEMPTS) throw error;
      await sleep(backOffMs({ firstMs, longestMs: LONGEST_PAUSE_MS }, attempt));
    }
  }
}

/**
 * Requires a file on disk to have a hash.
 *
 * @throws Error otherwise.
 */
export async function requireFileHash(file: string, sha256: string, name: string): Promise<void> {
  const { hash } = await hashOf(file);
  requireHash(hash, sha256, name);
}

/** @throws Error if the hash differs. */
export function requireHash(hash: Hash, sha256: string, name: string): void {
  const got = hash.digest('hex');
  if (got !== sha256) throw new Error(`${name} must have the SHA-256 ${sha256} (got ${got})`);
}

async function transfer(download: Download, target: string): Promise<void> {
  const { name, sha256 } = download;
  const stored = await hashOf(target);
  if (stored.hash.copy().digest('hex') === sha256) return;
  const stall = new AbortController();
  const request = { stall, ms: download.stallMs ?? STALL_MS };
  const response = await timely(request, name, () =>
    fetch(download.url, {
      signal: stall.signal,
      headers: stored.size === 0 ? {} : { range: `bytes=${stored.size}-` },
    }),
  );
  try {
    const continues = await requireUsable(response, download, stored.size, target);
    const start = continues ? stored : { hash: createHash('sha256'), size: 0 };
    const hash = await append(response, { download, target, request, ...start });
    try {
      requireHash(hash, sha256, name);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
  } finally {
    await response.body?.cancel().catch(() => undefined);
  }
}

/** @returns true if the response continues after the stored bytes, false if it has the whole. */
async function requireUsable(
  { status, headers }: Response,
  { url, name }: Download,
  size: number,
  target: string,
): Promise<boolean> {
  if (status === 200) return false;
  if (status === 206 && headers.get('content-range')?.startsWith(`bytes ${size}-`)) return true;
  const message = `${new URL(url).host} answered ${status} for ${name}`;
  if (status === 206 || status === 416) {
    // The stored bytes are no beginning of what the server has.
    await rm(target, { force: true });
    throw new BrokenTransferError(message);
  }
  if (status === 408 || status === 429 || status >= 500) throw new BrokenTransferError(message);
  throw new Error(message);
}

interface Stall {
  readonly stall: AbortController;
  readonly ms: number;
}

interface Append {
  readonly download: Download;
  readonly target: string;
  readonly request: Stall;
  readonly hash: Hash;
  readonly size: number;
}

/** Appends the body to the stored bytes. @returns the hash of the whole file. */
async function append({ body }: Response, from: Append): Promise<Hash> {
  const { download, target, request, hash } = from;
  const { name, maxBytes = MAX_BYTES } = download;
  let { size } = from;
  const file = await open(target, size === 0 ? 'w' : 'a');
  try {
    const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
    for (;;) {
      const part = await timely(request, name, async () => reader?.read());
      if (!part || part.done) break;
      size += part.value.byteLength;
      if (size > maxBytes) throw new Error(`${name} must have at most ${maxBytes} bytes`);
      hash.update(part.value);
      await file.writeFile(part.value);
    }
    await file.sync();
    return hash;
  } finally {
    await file.close();
  }
}

/** Waits for the server. @throws BrokenTransferError if it breaks off or stalls. */
async function timely<T>({ stall, ms }: Stall, name: string, wait: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => stall.abort(), ms);
  try {
    return await wait();
  } catch (cause) {
    const reason = stall.signal.aborted ? `stalled for ${ms / 1_000} s` : 'was interrupted';
    throw new BrokenTransferError(`The download of ${name} ${reason}; run the command again`, {
      cause,
    });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the hash and size of a file; those of an empty one if it is missing. */
async function hashOf(file: string): Promise<{ readonly hash: Hash; readonly size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  await unlessMissing(
    (async () => {
      for await (const part of createReadStream(file) as AsyncIterable<Buffer>) {
        hash.update(part);
        size += part.byteLength;
      }
    })(),
  );
  return { hash, size };
}
