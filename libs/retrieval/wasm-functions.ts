/** Bytes of a page, the unit by which a memory grows. */
export const PAGE_BYTES = 65_536;
/** Most pages: 4 GiB, the range of 32-bit addresses. */
export const MAX_PAGES = 65_536;

/** Memory in which WebAssembly computes. */
export interface LinearMemory {
  readonly buffer: ArrayBuffer;
}

/** Memory that threads share; it only grows, and views of it stay valid when it does. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/** The used part of the global `WebAssembly`, whose types are only in a browser's library. */
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
 * Allocates memory. @param bytes its fixed size, all zero; memory of a page is taken when it is
 * first written.
 */
export function createMemory(bytes: number): LinearMemory {
  return new wasm.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

/** Allocates shared memory. @param pages of 64 KiB that it has at first. */
export function createSharedMemory(pages: number): SharedMemory {
  return new wasm.Memory({ initial: pages, maximum: MAX_PAGES, shared: true });
}

/**
 * Functions in WebAssembly over addresses of one memory; compiled on first use, once in a thread.
 */
export class WasmFunctions<Functions, Memory extends LinearMemory | SharedMemory = LinearMemory> {
  private compiled: object | undefined;

  /**
   * Prepares functions. @param module its bytes, as base64, which export the functions @param
   * namespace of its imported `memory`
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
