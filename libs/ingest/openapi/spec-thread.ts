import { FairSemaphore } from '#platform/concurrency/fair-semaphore';
import { SpareThread } from '#platform/concurrency/spare-thread';
import { ThreadClient } from '#platform/concurrency/thread-client';
import { transferablesOf } from '#platform/concurrency/transferables';

import type { ReadSpecOptions } from './read-spec.js';
import { SpecProblem, SpecTooCostly } from './spec-problem.js';

export interface SpecRequest extends Omit<ReadSpecOptions, 'before'> {
  /** Content, transferred: the caller has it no more. */
  readonly bytes: Uint8Array;
  /** Everything except the specification that determines its parts. */
  readonly recipe: string;
  readonly before?: SpecBefore;
}

/** Reusable results of the previous reading. */
export interface SpecBefore {
  /** Memory as that reading returned it. */
  readonly memory: Uint8Array;
  /** Hashes of the parts whose content is stored, by pointer. */
  readonly known: ReadonlyMap<string, string>;
}

/** A part of a specification among the bytes of all. */
export interface SpecPart {
  /** `#/paths/~1users/get`; empty for the specification as a whole. */
  readonly pointer: string;
  /** Hash of its bytes. */
  readonly hash: string;
  /** Place of the part; null if it is unchanged and not included. */
  readonly offset: number | null;
  readonly size: number;
}

export interface SpecAnswer {
  /** `info.version`. */
  readonly version: string | undefined;
  readonly parts: readonly SpecPart[];
  readonly content: Uint8Array;
  /** Memory for the next reading. */
  readonly memory: Uint8Array;
}

/** GitHub's 13 MB of JSON take 1.5 s and 250 MB, 8 MB of YAML 10 s. */
const TIMEOUT_MS = 120_000;
const HEAP_MIB = 1_536;
/**
 * Size of the young generation. A specification is read in one go, and most of it stays until the
 * end: less is copied.
 */
const YOUNG_MIB = 96;

/** Bytes from which on a specification may take the whole heap and minutes. */
const LARGE_BYTES = 1024 * 1024;

/**
 * Turns of large specifications: reading takes many times their size in memory. They are read one
 * at a time, in turns of tenants. Small ones wait for none of these. While one tenant's small
 * specification takes long, another tenant's is read at once.
 */
const large = new FairSemaphore({ places: 1 });
const small = new FairSemaphore({ places: 1, spare: 1 });

/**
 * Threads that read specifications; one stays for the next specification. Each reading is a pure
 * function of its request, so tenants share them.
 */
const threads = new SpareThread<SpecRequest>({
  start: () =>
    new ThreadClient<SpecRequest>({
      entry: new URL('./openapi.worker.js', import.meta.url),
      name: 'specification',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB, maxYoungGenerationSizeMb: YOUNG_MIB },
      unref: true,
      maxPending: 1,
      lateEnds: true,
      errorFor: (trouble, cause) => troubleOf(trouble, cause),
      errorOf: ({ name, message }) =>
        name === 'SpecProblem' ? new SpecProblem(message) : unreadable(name, message),
    }),
});

/** A thread for one specification. If none is ready, one starts while the specification arrives. */
export class SpecThread {
  private readonly thread = threads.take();

  /** @param tenantId tenant whose turn the reading takes. */
  constructor(
    private readonly tenantId: string,
    private readonly signal: AbortSignal,
  ) {
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

  /** Frees the thread for another specification; a thread that still reads is ended. */
  close(): void {
    this.signal.removeEventListener('abort', this.abort);
    threads.giveBack(this.thread);
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

/**
 * Returns the error for a specification that cannot be read. Ten thousand nested levels show as
 * endless recursion.
 */
function unreadable(name: string, message: string): Error {
  return name === 'RangeError' && /call stack/.test(message)
    ? new SpecProblem('is nested too deeply')
    : new Error(`A specification could not be read: ${message}`);
}
