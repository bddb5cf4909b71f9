import { setFlagsFromString } from 'node:v8';

const SWITCHES = ['wasm-dynamic-tiering', 'wasm-tier-up'] as const;

/** Pieces of work under way in this thread; the switches are set back when the last one ends. */
let running = 0;

/**
 * Runs `work` while V8 compiles WebAssembly by its baseline compiler alone. A function that is
 * first called within `work` stays as it was compiled then; functions called later are optimized
 * again. The switches count for the whole process, so that a function of another thread that is
 * first called meanwhile stays slower, too.
 *
 * Use it where one function is too large to optimize: PostgreSQL's interpreter of expressions takes
 * V8 a second of a core and 600 MB, the lexers of some grammars several gigabytes.
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
