/** Bytes of a page, the unit that a memory grows by. */
export const PAGE_BYTES = 65_536;
/** 4 GiB: what 32-bit addresses reach. */
export const MAX_PAGES = 65_536;

/** Memory that WebAssembly computes in. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

/** Memory that threads share; it only grows, and views of it stay valid when it does. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/**
 * The little that is used of the global `WebAssembly`, whose types come only with a browser's
 * library.
 */
interface WebAssemblyApi {
  readonly Memory: {
    new (size: { readonly initial: number }): LinearMemory;
    new (size: {
      readonly initial: number;
      readonly maximum: number;
      readonly shared: true;
    }): SharedMemory;
  };
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, { readonly memory: LinearMemory | SharedMemory }>>,
  ) => { readonly exports: unknown };
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };

/**
 * @param bytes that it has room for, all zero, for ever; memory of a page is taken when it is first
 * written.
 */
export function createMemory(bytes: number): LinearMemory {
  return new wasm.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

/** @param pages of 64 KiB that it has at first. */
export function createSharedMemory(pages: number): SharedMemory {
  return new wasm.Memory({ initial: pages, maximum: MAX_PAGES, shared: true });
}

/**
 * Functions in WebAssembly over addresses of one memory; compiled when they are first asked for,
 * once in a thread.
 */
export class WasmFunctions<Functions, Memory extends LinearMemory | SharedMemory = LinearMemory> {
  private compiled: object | undefined;

  /**
   * @param module its bytes, as base64, which export the functions
   * @param namespace that it imports its `memory` from
   */
  constructor(
    private readonly module: string,
    private readonly namespace: string,
  ) {}

  over(memory: Memory): Functions {
    this.compiled ??= new wasm.Module(
      Uint8Array.from(atob(this.module), (unit) => unit.charCodeAt(0)),
    );
    return new wasm.Instance(this.compiled, { [this.namespace]: { memory } }).exports as Functions;
  }
}
