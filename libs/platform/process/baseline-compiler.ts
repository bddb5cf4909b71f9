import { setFlagsFromString } from 'node:v8';

const SWITCHES = ['wasm-dynamic-tiering', 'wasm-tier-up'] as const;

/**
 * Number of running pieces of work in this thread; the switches are reset when the last one ends.
 */
let running = 0;

/**
 * Runs `work` while V8 compiles WebAssembly only by its baseline compiler. A function that is first
 * called within `work` stays in that form; later ones are optimized again. The switches apply to
 * the whole process, so functions of other threads that are first called at the same time stay
 * slower, too.
 *
 * Use it for functions that are too large to optimize: PostgreSQL's expression interpreter takes V8
 * a second of a core and 600 MB, the lexers of some grammars several gigabytes.
 */
export function byBaselineCompiler<T>(work: () => T): T {
  running += 1;
  for (const name of SWITCHES) setFlagsFromString(`--no-${name}`);
  const end = (): void => {
    running -= 1;
    if (running === 0) for (const name of SWITCHES) setFlagsFromString(`--${name}`);
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
