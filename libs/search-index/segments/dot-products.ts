/** `dot-products.wat`, assembled. */
const MODULE =
  'AGFzbQEAAAABCQFgBX9/f39/AAMCAQAFBgEBAoCABAcYAgZtZW1vcnkCAAtkb3RQcm9kdWN0cwAACroBAbcBAgJ/AnsDQP0MAAAA' +
  'AAAAAAAAAAAAAAAAACEH/QwAAAAAAAAAAAAAAAAAAAAAIQggACEFIAEgA2ohBgNAIAcgAf0BAwAgBf0ABAD9ugH9rgEhByAIIAH9' +
  'AQMIIAX9AAQQ/boB/a4BIQggBUEgaiEFIAFBEGohASABIAZJDQALIAcgCP2uASEHIAQgB/0bACAH/RsBaiAH/RsCIAf9GwNqajYC' +
  'ACAEQQRqIQQgAkEBayECIAINAAsL';

/** Linear memory; its buffer is replaced whenever it grows. */
interface LinearMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** SIMD dot products over addresses of the module's own memory. */
export interface DotProductsModule {
  readonly memory: LinearMemory;
  /** `out[i] = Σ query[j]·vectors[i][j]` as i32; the query as i16. `dimensions` divides by 16, `count` is at least 1. */
  readonly dotProducts: (query: number, vectors: number, count: number, dimensions: number, out: number) => void;
}

/** The little that is used of the global `WebAssembly`, whose types come only with a browser's library. */
interface WebAssemblyApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: DotProductsModule };
}

const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi };
let compiled: object | undefined;

export function instantiateDotProducts(): DotProductsModule {
  compiled ??= new wasm.Module(Buffer.from(MODULE, 'base64'));
  return new wasm.Instance(compiled).exports;
}

/** What the module computes, one value at a time: the reference for tests. */
export function scalarDotProduct(query: Int8Array, vector: Int8Array): number {
  let sum = 0;
  for (let j = 0; j < query.length; j++) sum = (sum + (query[j] as number) * (vector[j] as number)) | 0;
  return sum;
}
