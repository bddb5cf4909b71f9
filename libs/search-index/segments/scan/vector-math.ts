import { type SharedMemory, WasmFunctions } from '#retrieval/wasm-functions';

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

/** Functions over addresses of one memory. */
export interface VectorMath {
  /**
   * Computes `out[i] = Σ query[j]·block[j][i]` as i32, over the `width` vectors of a block, a
   * multiple of 16. The query's entries, at least one, are eight dimensions and their eight values,
   * 16 bits each.
   */
  dotProducts(entries: number, entriesEnd: number, block: number, width: number, out: number): void;
  /**
   * Writes the indexes, u32 and ascending, of products (i32) that are at least `least` after
   * multiplication with their scale (f32), in single precision. `width` is a multiple of 4, not 0.
   * @returns the end of the indexes.
   */
  atLeast(products: number, scales: number, width: number, least: number, out: number): number;
}

const functions = new WasmFunctions<VectorMath, SharedMemory>(MODULE, 'vectors');

/** Returns the functions for the calling thread. */
export function vectorMathOver(memory: SharedMemory): VectorMath {
  return functions.over(memory);
}
