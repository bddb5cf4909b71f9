import { type LinearMemory, WasmFunctions } from '#retrieval/wasm-functions';

/** `word-math.wat`, assembled. */
const MODULE =
  'AGFzbQEAAAABJQRgCX9/f39/f3x8fAF/YAR/f3x/AX9gBX9/f31/AX9gA39/fwACEQEFd29yZHMGbWVtb3J5AgABAwUEAAECAwcaAwNhZGQAAAhyZWFjaGluZwAC' +
  'BWNsZWFyAAMKtQMEmAIEAn8CewF9A3sgBv0UIQ4gB/0UIQ8gCP0UIRACQANAIABBCGogAUsNASAAKAIAQQJ0IQkgACgCBEECdCEKIAItAAC4/RQgAi0AAbj9IgEh' +
  'CyAOIAv98gEgCyAP/fABIBAgAyAJaigCALj9FCADIApqKAIAuP0iAf3yAf3wAf3zASEMIAQgCWogACgCACAM/SEAIAUQASEFIAQgCmogACgCBCAM/SEBIAUQASEF' +
  'IABBCGohACACQQJqIQIMAAsLIAAgAUkEQCAAKAIAQQJ0IQkgAi0AALj9FCELIA4gC/3yASALIA/98AEgECADIAlqKAIAuP0U/fIB/fAB/fMBIQwgBCAJaiAAKAIA' +
  'IAz9IQAgBRABIQULIAULLAEBfSAAKgIAIQQgACAEuyACoLY4AgAgAyABNgIAIAMgBEMAAAAAW0ECdGoLQAEBfwJAA0AgACABTw0BIAAoAgAhBSAEIAU2AgAgBCAC' +
  'IAVBAnRqKgIAIANgQQJ0aiEEIABBBGohAAwACwsgBAsrAAJAA0AgACABTw0BIAIgACgCAEECdGpDAAAAADgCACAAQQRqIQAMAAsLCw==';

/** Functions over addresses of one memory. */
export interface WordMath {
  /**
   * Adds a term's share to the score (f32) of each chunk: `idf·f / (f + base + slope·length)`,
   * computed with 64 bits. Chunks (u32) differ; frequencies have a byte, lengths 32 bits.
   * @param touched address of the next chunk whose score was 0; there must be room for one more.
   * @returns the address of the next one after it.
   */
  add(
    chunks: number,
    chunksEnd: number,
    frequencies: number,
    lengths: number,
    scores: number,
    touched: number,
    idf: number,
    base: number,
    slope: number,
  ): number;
  /**
   * Writes those of some chunks whose score reaches a value.
   * @returns the end of what was written.
   */
  reaching(touched: number, touchedEnd: number, scores: number, least: number, out: number): number;
  /** Sets the scores of some chunks to 0. */
  clear(touched: number, touchedEnd: number, scores: number): void;
}

const functions = new WasmFunctions<WordMath>(MODULE, 'words');

/** Returns the functions for a memory. */
export function wordMathOver(memory: LinearMemory): WordMath {
  return functions.over(memory);
}
