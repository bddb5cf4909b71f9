import { StageFailure } from '#contracts';
import type { StartedProcess, StartProcess } from '#platform';

import { startGit } from './git-process.js';

export interface GitBlob {
  readonly oid: string;
  /** Separate buffer, which may be transferred to a worker. */
  readonly bytes: Uint8Array;
}

export interface ReadBlobsOptions {
  readonly directory: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without any byte from git after which it is killed. */
  readonly idleMs: number;
  readonly start?: StartProcess | undefined;
}

/**
 * Streams blobs in the requested order from one `git cat-file --batch`. Reads ahead only as far as
 * the pipes buffer. Kills git when the consumer stops early.
 *
 * @throws StageFailure (retryable) if a blob is missing or git ends too early.
 */
export async function* readBlobs(
  oids: readonly string[],
  options: ReadBlobsOptions,
): AsyncGenerator<GitBlob> {
  if (oids.length === 0) return;
  options.signal?.throwIfAborted();
  const child = startGit(['cat-file', '--batch', '--buffer'], {
    cwd: options.directory,
    timeoutMs: 3_600_000,
    start: options.start,
  });
  const abort = (): void => child.kill();
  options.signal?.addEventListener('abort', abort, { once: true });
  child.stderr.resume();
  try {
    yield* exchange(child, oids, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  } finally {
    options.signal?.removeEventListener('abort', abort);
    child.stdin.destroy();
    child.stdout.destroy();
    child.kill();
  }
}

async function* exchange(
  child: StartedProcess,
  oids: readonly string[],
  { idleMs, signal }: ReadBlobsOptions,
): AsyncGenerator<GitBlob> {
  const reader = new PipeReader(child, idleMs);
  child.stdin.end(oids.map((oid) => `${oid}\n`).join(''));
  for (const oid of oids) {
    // After an abort, the rest of the pipe is not read.
    signal?.throwIfAborted();
    const header = await reader.line();
    const [, type, size] = header.split(' ');
    if (type !== 'blob' || size === undefined) {
      throw new StageFailure(`The fetched repository lacks the object ${oid}`, true, {
        object: oid,
      });
    }
    const bytes = await reader.exactly(Number(size));
    await reader.exactly(1);
    yield { oid, bytes };
  }
}

/** Reader of lines and exact byte counts from a child's standard output. */
class PipeReader {
  private readonly source: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);

  constructor(
    private readonly child: StartedProcess,
    private readonly idleMs: number,
  ) {
    this.source = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.held.indexOf(10);
      if (end !== -1) {
        const line = this.held.toString('latin1', 0, end);
        this.held = this.held.subarray(end + 1);
        return line;
      }
      this.held = Buffer.concat([this.held, await this.next()]);
    }
  }

  async exactly(size: number): Promise<Uint8Array> {
    const bytes = Buffer.allocUnsafeSlow(size);
    let filled = 0;
    while (filled < size) {
      if (this.held.length === 0) this.held = await this.next();
      const taken = this.held.copy(bytes, filled);
      filled += taken;
      this.held = this.held.subarray(taken);
    }
    return bytes;
  }

  private async next(): Promise<Buffer> {
    const timer = setTimeout(() => this.child.kill(), this.idleMs);
    try {
      const step = await this.source.next();
      if (step.done === true) throw new StageFailure('git ended before all files were read', true);
      return step.value;
    } finally {
      clearTimeout(timer);
    }
  }
}
