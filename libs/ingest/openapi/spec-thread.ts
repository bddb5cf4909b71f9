import { FairSemaphore } from '#platform/concurrency/fair-semaphore';
import { ThreadClient } from '#platform/concurrency/thread-client';
import { transferablesOf } from '#platform/concurrency/transferables';

import type { ReadSpecOptions } from './read-spec.js';
import { SpecProblem, SpecTooCostly } from './spec-problem.js';

export interface SpecRequest extends Omit<ReadSpecOptions, 'before'> {
  /** Handed over: the caller has them no more. */
  readonly bytes: Uint8Array;
  /** What decides, apart from the specification, what its parts are. */
  readonly recipe: string;
  readonly before?: SpecBefore;
}

/** What may be taken from the reading before. */
export interface SpecBefore {
  /** As that reading left it. */
  readonly memory: Uint8Array;
  /** Hashes of the parts whose content is kept, by pointer. */
  readonly known: ReadonlyMap<string, string>;
}

/** A part of a specification among the bytes of all. */
export interface SpecPart {
  /** `#/paths/~1users/get`; empty for the specification as a whole. */
  readonly pointer: string;
  /** Of its bytes. */
  readonly hash: string;
  /** Null where it is as it was before, and not among them. */
  readonly offset: number | null;
  readonly size: number;
}

export interface SpecAnswer {
  /** `info.version`. */
  readonly version: string | undefined;
  readonly parts: readonly SpecPart[];
  readonly content: Uint8Array;
  /** For the next reading. */
  readonly memory: Uint8Array;
}

/** GitHub's 13 MB of JSON take 1.5 s and 250 MB, 8 MB of YAML 10 s. */
const TIMEOUT_MS = 120_000;
const HEAP_MIB = 1_536;
/**
 * A specification is read in one go, and most of it stays until its end: less is copied to and fro.
 */
const YOUNG_MIB = 96;

/** A larger specification may take the whole heap and minutes. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Specifications take memory many times their size while they are read: large ones one at a time,
 * by turns of tenants. Small ones wait for none of these; beside the one of a tenant that takes
 * long, another tenant's is read at once.
 */
const large = new FairSemaphore({ places: 1 });
const small = new FairSemaphore({ places: 1, spare: 1 });

/**
 * A thread for one specification. It starts at once, so that it is ready when the specification has
 * been sent.
 */
export class SpecThread {
  private readonly thread: ThreadClient<SpecRequest>;

  /** @param tenantId whose turn the reading takes. */
  constructor(
    private readonly tenantId: string,
    private readonly signal: AbortSignal,
  ) {
    this.thread = new ThreadClient<SpecRequest>({
      entry: new URL('./openapi.worker.js', import.meta.url),
      name: 'specification',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
      maxPending: 1,
      lateEnds: true,
      errorFor: (trouble, cause) => troubleOf(trouble, cause),
      errorOf: ({ name, message }) =>
        name === 'SpecProblem' ? new SpecProblem(message) : unreadable(name, message),
    });
    signal.addEventListener('abort', this.abort, { once: true });
  }

  /**
   * Reads a specification under limits of time and memory.
   * @throws SpecProblem; the signal's reason once that is aborted.
   */
  read(request: SpecRequest): Promise<SpecAnswer> {
    const lane = request.bytes.byteLength > LARGE_BYTES ? large : small;
    const work = async () => {
      try {
        return await this.thread.ask<SpecAnswer>(request, {
          timeoutMs: TIMEOUT_MS,
          transfer: transferablesOf(request),
        });
      } catch (error) {
        this.signal.throwIfAborted();
        throw error;
      }
    };
    return lane.run(this.tenantId, work, this.signal);
  }

  /** Ends the thread; its memory comes back in its own time, which nobody has to wait for. */
  close(): void {
    this.signal.removeEventListener('abort', this.abort);
    this.thread.close().catch(() => undefined);
  }

  private readonly abort = (): void => void this.thread.kill(this.signal.reason as Error);
}

function troubleOf(trouble: string, cause: Error): Error {
  const outOfMemory = (cause as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (outOfMemory)
    return new SpecTooCostly(
      `takes more than ${HEAP_MIB} MiB of memory to read; it is read again once it has changed`,
    );
  if (/did not answer within/.test(cause.message)) {
    return new SpecTooCostly(
      `takes longer than ${TIMEOUT_MS / 1_000} s to read; it is read again once it has changed`,
    );
  }
  return trouble === 'died'
    ? new Error('The thread that reads specifications ended', { cause })
    : cause;
}

/** Recursion without end is what a specification of ten thousand levels looks like. */
function unreadable(name: string, message: string): Error {
  return name === 'RangeError' && /call stack/.test(message)
    ? new SpecProblem('is nested too deeply')
    : new Error(`A specification could not be read: ${message}`);
}
