import { isUtf8 } from 'node:buffer';
import { createRequire } from 'node:module';

import type { Match, RRegex } from 'rregex';

import type { ByteSpan } from './line-engine.port.js';
import type { ParsedExpression } from './parsed-expression.js';

/** Memory of an instance from which on it compiles nothing more; it begins with about 2 MiB. */
const FULL_BYTES = 8 * 1024 * 1024;

/** The used exports of the module's WebAssembly (rregex 1.13.1). */
interface RegexExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly __wbindgen_malloc: (bytes: number, alignment: number) => number;
  /** Takes a text over, and returns where the matches or the error are, and 1 for an error. */
  readonly rregex_findAll: (
    expression: number,
    text: number,
    bytes: number,
  ) => readonly [found: number, error: number, isError: number];
  /** The objects that the module made. */
  readonly __wbindgen_export_2: { get(at: number): unknown };
  readonly __externref_table_dealloc: (at: number) => void;
}

interface RegexModule {
  readonly RRegex: new (source: string) => RRegex;
  readonly __wasm: RegexExports;
}

/** A compiled expression with the instance that it belongs to. */
export class CompiledRegex {
  private readonly regex: RRegex;

  /** @throws Error with the message of the engine. */
  constructor(
    private readonly instance: RegexModule,
    source: string,
  ) {
    this.regex = new instance.RRegex(source);
  }

  /** Returns the matches in a text, or in its bytes in UTF-8. */
  find(text: string | Buffer): readonly ByteSpan[] {
    const found =
      typeof text !== 'string' && isUtf8(text)
        ? this.findInBytes(text)
        : this.regex.findAll(String(text));
    return found.map(({ start, end }): ByteSpan => [start, end]);
  }

  syntax(): ParsedExpression {
    return this.regex.syntax();
  }

  free(): void {
    this.regex.free();
  }

  /**
   * Searches bytes that need no encoding: the module's own method copies a text character by
   * character. The engine relies on valid UTF-8.
   */
  private findInBytes(bytes: Buffer): readonly Match[] {
    const wasm = this.instance.__wasm;
    const at = wasm.__wbindgen_malloc(bytes.length, 1) >>> 0;
    new Uint8Array(wasm.memory.buffer, at, bytes.length).set(bytes);
    const { __wbg_ptr: pointer } = this.regex as unknown as { readonly __wbg_ptr: number };
    const [found, error, isError] = wasm.rregex_findAll(pointer, at, bytes.length);
    const object = isError === 0 ? found : error;
    const value = wasm.__wbindgen_export_2.get(object);
    wasm.__externref_table_dealloc(object);
    if (isError !== 0) throw value;
    return value as readonly Match[];
  }
}

/**
 * Compiles expressions in instances of the WebAssembly module. An instance keeps the memory of each
 * expression that it compiled, also of released ones (rregex 1.13.1). So a full instance is
 * replaced, and collected as garbage once no compiled expression of it is in use.
 */
export class RegexInstances {
  private current = newInstance();

  /** @throws Error with the message of the engine. */
  compile(source: string): CompiledRegex {
    if (this.bytes > FULL_BYTES) this.current = newInstance();
    return new CompiledRegex(this.current, source);
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
