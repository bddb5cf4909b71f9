import { createRequire } from 'node:module';

import type { RRegex } from 'rregex';

/** Memory of an instance from which on it compiles nothing more; it begins with about 2 MiB. */
const FULL_BYTES = 8 * 1024 * 1024;

interface RegexModule {
  readonly RRegex: new (source: string) => RRegex;
  readonly __wasm: { readonly memory: { readonly buffer: ArrayBuffer } };
}

/**
 * Compiles expressions in instances of the WebAssembly module. An instance keeps the memory of each
 * expression that it compiled, also of released ones (rregex 1.13.1). So a full instance is
 * replaced, and collected as garbage once no compiled expression of it is in use.
 */
export class RegexInstances {
  private current = newInstance();

  /** @throws Error with the message of the engine. */
  compile(source: string): RRegex {
    if (this.bytes > FULL_BYTES) this.current = newInstance();
    return new this.current.RRegex(source);
  }

  /** Memory of the instance that compiles the next expression, unless it is full. */
  get bytes(): number {
    return this.current.__wasm.memory.buffer.byteLength;
  }
}

/** Loads the module again; each load has its own memory. */
function newInstance(): RegexModule {
  // A function to load modules remembers them, so each instance has its own.
  const require = createRequire(import.meta.url);
  const file = require.resolve('rregex');
  delete require.cache[file];
  try {
    return require(file) as RegexModule;
  } finally {
    delete require.cache[file];
  }
}
