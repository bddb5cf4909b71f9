/** `vector-math.wat`, assembled. */
const MODULE =
  'AGFzbQEAAAABEgJgBX9/f39/AGAFf39/fX8BfwIWAQd2ZWN0b3JzBm1lbW9yeQIDAYCABAMDAgABBxkCC2RvdFByb2R1Y3RzAAAHYXRMZWFzdAABCu4H' +
  'AoAHAgx7Cn8gBEEAIANBAnT8CwADQCAA/QkCECEFIAD9CQIUIQYgAP0JAhghByAA/QkCHCEIIAIgAC8BACADbGohESACIAAvAQIgA2xqIRIgAiAALwEE' +
  'IANsaiETIAIgAC8BBiADbGohFCACIAAvAQggA2xqIRUgAiAALwEKIANsaiEWIAIgAC8BDCADbGohFyACIAAvAQ4gA2xqIRggBCEZIBEgA2ohGgNAIBH9' +
  'AAQAIQkgEv0ABAAhCiAT/QAEACELIBT9AAQAIQwgFf0ABAAhDSAW/QAEACEOIBf9AAQAIQ8gGP0ABAAhECAZIBn9AAQAIAUgCSAK/Q0AEAERAhIDEwQU' +
  'BRUGFgcX/YcB/boBIAYgCyAM/Q0AEAERAhIDEwQUBRUGFgcX/YcB/boB/a4BIAcgDSAO/Q0AEAERAhIDEwQUBRUGFgcX/YcB/boBIAggDyAQ/Q0AEAER' +
  'AhIDEwQUBRUGFgcX/YcB/boB/a4B/a4B/a4B/QsEACAZIBn9AAQQIAUgCSAK/Q0AEAERAhIDEwQUBRUGFgcX/YgB/boBIAYgCyAM/Q0AEAERAhIDEwQU' +
  'BRUGFgcX/YgB/boB/a4BIAcgDSAO/Q0AEAERAhIDEwQUBRUGFgcX/YgB/boBIAggDyAQ/Q0AEAERAhIDEwQUBRUGFgcX/YgB/boB/a4B/a4B/a4B/QsE' +
  'ECAZIBn9AAQgIAUgCSAK/Q0IGAkZChoLGwwcDR0OHg8f/YcB/boBIAYgCyAM/Q0IGAkZChoLGwwcDR0OHg8f/YcB/boB/a4BIAcgDSAO/Q0IGAkZChoL' +
  'GwwcDR0OHg8f/YcB/boBIAggDyAQ/Q0IGAkZChoLGwwcDR0OHg8f/YcB/boB/a4B/a4B/a4B/QsEICAZIBn9AAQwIAUgCSAK/Q0IGAkZChoLGwwcDR0O' +
  'Hg8f/YgB/boBIAYgCyAM/Q0IGAkZChoLGwwcDR0OHg8f/YgB/boB/a4BIAcgDSAO/Q0IGAkZChoLGwwcDR0OHg8f/YgB/boBIAggDyAQ/Q0IGAkZChoL' +
  'GwwcDR0OHg8f/YgB/boB/a4B/a4B/a4B/QsEMCAZQcAAaiEZIBFBEGohESASQRBqIRIgE0EQaiETIBRBEGohFCAVQRBqIRUgFkEQaiEWIBdBEGohFyAY' +
  'QRBqIRggESAaSQ0ACyAAQSBqIQAgACABSQ0ACwtqAQJ/A0AgAP0ABAD9+gEgAf0ABAD95gEgA/0T/Ub9pAEhBiAGBEADQCAEIAUgBmhqNgIAIARBBGoh' +
  'BCAGIAZBAWtxIQYgBg0ACwsgAEEQaiEAIAFBEGohASAFQQRqIQUgBSACSQ0ACyAECw==';

/** Bytes of a page, the unit that a memory grows by. */
export const PAGE_BYTES = 65_536;
/** 4 GiB: what 32-bit addresses reach. */
export const MAX_PAGES = 65_536;

/** Memory that threads share; it only grows, and views of it stay valid when it does. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/** Functions over addresses of one memory. */
export interface VectorMath {
  /**
   * `out[i] = Σ query[j]·block[j][i]` as i32, over the `width` vectors of a block, a multiple of 16. The query's entries,
   * at least one, are eight dimensions and their eight values, 16 bits each.
   */
  dotProducts(entries: number, entriesEnd: number, block: number, width: number, out: number): void;
  /**
   * Writes the indexes, u32 and ascending, of products (i32) that are at least `least` when they are multiplied with their
   * scale (f32), in single precision. `width` is a multiple of 4, not 0. @returns where the indexes end
   */
  atLeast(products: number, scales: number, width: number, least: number, out: number): number;
}

/** The little that is used of the global `WebAssembly`, whose types come only with a browser's library. */
interface WebAssemblyApi {
  readonly Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly vectors: { readonly memory: SharedMemory } },
  ) => { readonly exports: VectorMath };
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
let compiled: object | undefined;

/** @param pages of 64 KiB that it has at first. */
export function createSharedMemory(pages: number): SharedMemory {
  return new wasm.Memory({ initial: pages, maximum: MAX_PAGES, shared: true });
}

/** The functions for the calling thread. */
export function vectorMathOver(memory: SharedMemory): VectorMath {
  compiled ??= new wasm.Module(Buffer.from(MODULE, 'base64'));
  return new wasm.Instance(compiled, { vectors: { memory } }).exports;
}
