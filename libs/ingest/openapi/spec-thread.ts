import { KeyedQueue } from '#platform/concurrency/keyed-queue';
import { ThreadClient } from '#platform/concurrency/thread-client';

import type { ReadSpecOptions } from './read-spec.js';
import { SpecProblem } from './spec-problem.js';

export interface SpecRequest extends ReadSpecOptions {
  readonly bytes: Uint8Array;
}

/** A part of a specification among the bytes of all. */
export interface SpecPart {
  /** `#/paths/~1users/get`; empty for the specification as a whole. */
  readonly pointer: string;
  /** Of its bytes. */
  readonly hash: string;
  readonly offset: number;
  readonly size: number;
}

export interface SpecAnswer {
  /** `info.version`. */
  readonly version: string | undefined;
  readonly parts: readonly SpecPart[];
  readonly content: Uint8Array;
}

/** GitHub's 13 MB of JSON take 1.5 s and 250 MB, 8 MB of YAML 10 s. */
const TIMEOUT_MS = 120_000;
const HEAP_MIB = 1_536;

/** Specifications take memory many times their size while they are read: one at a time. */
const queue = new KeyedQueue();

/**
 * Reads a specification in a thread of its own, under limits of time and memory.
 * @throws SpecProblem; the signal's reason once that is aborted.
 */
export function readSpecAside(request: SpecRequest, signal: AbortSignal): Promise<SpecAnswer> {
  return queue.run('', async () => {
    signal.throwIfAborted();
    const thread = new ThreadClient<SpecRequest>({
      entry: new URL('./openapi.worker.js', import.meta.url),
      name: 'specification',
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
      maxPending: 1,
      lateEnds: true,
      errorFor: (trouble, cause) => troubleOf(trouble, cause),
      errorOf: ({ name, message }) => (name === 'SpecProblem' ? new SpecProblem(message) : unreadable(name, message)),
    });
    const abort = (): void => void thread.kill(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
    try {
      return await thread.ask<SpecAnswer>(request, { timeoutMs: TIMEOUT_MS });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', abort);
      await thread.close();
    }
  });
}

function troubleOf(trouble: string, cause: Error): Error {
  const outOfMemory = (cause as { readonly code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY';
  if (outOfMemory) return new SpecProblem(`takes more than ${HEAP_MIB} MiB of memory to read`);
  if (/did not answer within/.test(cause.message)) {
    return new SpecProblem(`takes longer than ${TIMEOUT_MS / 1_000} s to read`);
  }
  return trouble === 'died' ? new Error('The thread that reads specifications ended', { cause }) : cause;
}

/** Recursion without end is what a specification of ten thousand levels looks like. */
function unreadable(name: string, message: string): Error {
  return name === 'RangeError' && /call stack/.test(message)
    ? new SpecProblem('is nested too deeply')
    : new Error(`A specification could not be read: ${message}`);
}
