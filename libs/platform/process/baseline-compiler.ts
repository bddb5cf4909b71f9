import { setFlagsFromString } from 'node:v8';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const SWITCHES = ['wasm-dynamic-tiering', 'wasm-tier-up'] as const;

/** Number of running pieces of work in all threads, as the switches apply to the whole process. */
const running = sharedCounter('footnote.baseline-compiler');

/**
 * Runs `work` while V8 compiles WebAssembly only by its baseline compiler. A function that is first
 * called within `work` stays in that form; later ones are optimized again, once no thread has such
 * work. Functions of other threads that are first called at the same time stay slower, too.
 *
 * Use it for functions that are too large to optimize: PostgreSQL's expression interpreter takes V8
 * a second of a core and 600 MB, the lexers of some grammars several gigabytes.
 */
export function byBaselineCompiler<T>(work: () => T): T {
  Atomics.add(running, 0, 1);
  optimize(false);
  const end = (): void => {
    Atomics.sub(running, 0, 1);
    if (Atomics.load(running, 0) > 0) return;
    optimize(true);
    // Another thread may have begun between the two lines above.
    if (Atomics.load(running, 0) > 0) optimize(false);
  };
  let result: T;
  try {
    result = work();
  } catch (error) {
    end();
    throw error;
  }
  if (result instanceof Promise) return result.finally(end) as T;
  end();
  return result;
}

function optimize(on: boolean): void {
  for (const name of SWITCHES) setFlagsFromString(on ? `--${name}` : `--no-${name}`);
}

/**
 * Returns a counter that all threads share which a thread with this module starts, directly or not.
 */
function sharedCounter(name: string): Int32Array {
  const known = getEnvironmentData(name);
  if (known instanceof SharedArrayBuffer) return new Int32Array(known);
  const buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  setEnvironmentData(name, buffer);
  return new Int32Array(buffer);
}
