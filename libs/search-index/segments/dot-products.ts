/** `dot-products.wat`, assembled. */
const MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAIWAQd2ZWN0b3JzBm1lbW9yeQIDAYCABAMCAQAHDwELZG90UHJvZHVjdHMAAAr7AwH4AwIGewZ/IARBACADQQJ0' +
  '/AsAA0AgAP0JAgghBSAA/QkCDCEGIAIgAC8BACADbGohCyACIAAvAQIgA2xqIQwgAiAALwEEIANsaiENIAIgAC8BBiADbGohDiAEIQ8gCyADaiEQ' +
  'A0AgC/0ABAAhByAM/QAEACEIIA39AAQAIQkgDv0ABAAhCiAPIA/9AAQAIAUgByAI/Q0AEAERAhIDEwQUBRUGFgcX/YcB/boBIAYgCSAK/Q0AEAER' +
  'AhIDEwQUBRUGFgcX/YcB/boB/a4B/a4B/QsEACAPIA/9AAQQIAUgByAI/Q0AEAERAhIDEwQUBRUGFgcX/YgB/boBIAYgCSAK/Q0AEAERAhIDEwQU' +
  'BRUGFgcX/YgB/boB/a4B/a4B/QsEECAPIA/9AAQgIAUgByAI/Q0IGAkZChoLGwwcDR0OHg8f/YcB/boBIAYgCSAK/Q0IGAkZChoLGwwcDR0OHg8f' +
  '/YcB/boB/a4B/a4B/QsEICAPIA/9AAQwIAUgByAI/Q0IGAkZChoLGwwcDR0OHg8f/YgB/boBIAYgCSAK/Q0IGAkZChoLGwwcDR0OHg8f/YgB/boB' +
  '/a4B/a4B/QsEMCAPQcAAaiEPIAtBEGohCyAMQRBqIQwgDUEQaiENIA5BEGohDiALIBBJDQALIABBEGohACAAIAFJDQALCw==';

/** Bytes of a page, the unit that a memory grows by. */
export const PAGE_BYTES = 65_536;
/** 4 GiB: what 32-bit addresses reach. */
export const MAX_PAGES = 65_536;

/** Memory that threads share; it only grows, and views of it stay valid when it does. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer;
  grow(pages: number): number;
}

/**
 * `out[i] = Σ query[j]·block[j][i]` as i32, over the `width` vectors of a block, a multiple of 16. The query's entries, at
 * least one, are four dimensions and their four values, 16 bits each.
 */
export type DotProducts = (entries: number, entriesEnd: number, block: number, width: number, out: number) => void;

/** The little that is used of the global `WebAssembly`, whose types come only with a browser's library. */
interface WebAssemblyApi {
  readonly Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: { readonly vectors: { readonly memory: SharedMemory } },
  ) => { readonly exports: { readonly dotProducts: DotProducts } };
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
let compiled: object | undefined;

/** @param pages of 64 KiB that it has at first. */
export function createSharedMemory(pages: number): SharedMemory {
  return new wasm.Memory({ initial: pages, maximum: MAX_PAGES, shared: true });
}

/** The function over addresses of a memory, for the calling thread. */
export function dotProductsOver(memory: SharedMemory): DotProducts {
  compiled ??= new wasm.Module(Buffer.from(MODULE, 'base64'));
  return new wasm.Instance(compiled, { vectors: { memory } }).exports.dotProducts;
}

/** What the module computes, one value at a time: the reference for tests. */
export function scalarDotProduct(query: Int8Array, vector: Int8Array): number {
  let sum = 0;
  for (let j = 0; j < query.length; j++) sum = (sum + (query[j] as number) * (vector[j] as number)) | 0;
  return sum;
}
