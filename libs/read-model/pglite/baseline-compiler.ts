import { setFlagsFromString } from 'node:v8';

const SWITCHES = ['wasm-dynamic-tiering', 'wasm-tier-up'] as const;

/**
 * Runs `work` while V8 compiles WebAssembly by its baseline compiler alone. A function that is first called within `work`
 * stays as it was compiled then; functions called later, and modules of other threads, are optimised again.
 *
 * PostgreSQL's interpreter of expressions counts as hot after a few statements, and to optimise that one function takes V8 a
 * second of a core and 600 MB. Statements cost a quarter more without.
 */
export async function byBaselineCompiler<T>(work: () => Promise<T>): Promise<T> {
  for (const name of SWITCHES) setFlagsFromString(`--no-${name}`);
  try {
    return await work();
  } finally {
    for (const name of SWITCHES) setFlagsFromString(`--${name}`);
  }
}
