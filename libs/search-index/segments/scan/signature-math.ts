import { type SharedMemory, WasmFunctions } from '#retrieval/wasm-functions';

/** `signature-math.wat`, assembled. */
const MODULE =
  'AGFzbQEAAAABEgJgBX9/f39/AGAGf39/f39/AAIWAQd2ZWN0b3JzBm1lbW9yeQIDAYCABAMEAwAAAQciAwRzaWduAAAJZXN0aW1hdGVzAAELcm93UHJvZHVjdHMA' +
  'AgqvBgOXAwIIfwJ7IAMgAUEBdGohBiADIQUDQCAFIAAgAi8BAGosAAAgAi4BAmw7AQAgAkEEaiECIAVBAmohBSAFIAZJDQALIAMhBwNAIAdBgAJqIQxBgAEhCANA' +
  'IAchCwNAIAshCSALIAhqIQoDQCAJ/QAEACENIAkgCGr9AAQAIQ4gCSANIA79jgH9CwQAIAkgCGogDSAO/ZEB/QsEACAJQRBqIQkgCSAKSQ0ACyAKIAhqIQsgCyAM' +
  'SQ0ACyAIQQF2IQggCEEQTw0ACyAMIQcgByAGSQ0ACyADIQUDQCAF/QAEACENIA0gDf0NCAkKCwwNDg8AAQIDBAUGByAN/QwBAAEAAQABAP///////////ZUB/Y4B' +
  'IQ0gDSAN/Q0EBQYHAAECAwwNDg8ICQoLIA39DAEAAQD/////AQABAP/////9lQH9jgEhDSANIA39DQIDAAEGBwQFCgsICQ4PDA0gDf0MAQD//wEA//8BAP//AQD/' +
  '//2VAf2OASENIAQgDf2EAToAACAEQRBqIQQgBUEQaiEFIAUgBkkNAAsLvwECAX8Fe/0MDw8PDw8PDw8PDw8PDw8PDyEKA0D9DAAAAAAAAAAAAAAAAAAAAAAhCP0M' +
  'AAAAAAAAAAAAAAAAAAAAACEJIAAhBQNAIAL9AAQAIQYgBf0ABAAgBiAK/U79DiAF/QAEECAGQQT9bf0O/W4hByAIIAf9hwH9jgEhCCAJIAf9iAH9jgEhCSACQRBq' +
  'IQIgBUEgaiEFIAUgAUkNAAsgBCAI/QsEACAEIAn9CwQQIARBIGohBCACIANJDQALC9IBAwJ/A3sBfyABIABrQQF2IQsDQCACIAMoAgAgC2xqIQYgACEH/QwAAAAA' +
  'AAAAAAAAAAAAAAAAIQn9DAAAAAAAAAAAAAAAAAAAAAAhCgNAIAb9AAQAIQggCSAI/YcBIAf9AAQA/boB/a4BIQkgCiAI/YgBIAf9AAQQ/boB/a4BIQogBkEQaiEG' +
  'IAdBIGohByAHIAFJDQALIAkgCv2uASEJIAUgCf0bACAJ/RsBaiAJ/RsCIAn9GwNqajYCACAFQQRqIQUgA0EEaiEDIAMgBEkNAAsL';

/** Functions over addresses of one memory. */
export interface SignatureMath {
  /**
   * Writes the signature of a row, its bytes 16 apart. An entry of the order is an index (u16) and
   * a sign (i16), one for each dimension, a multiple of 128. `space` takes two bytes a dimension.
   */
  sign(row: number, dimensions: number, order: number, space: number, out: number): void;
  /** Writes the estimates (i16) of whole groups of 16 signatures, at least one. */
  estimates(tables: number, tablesEnd: number, group: number, groupsEnd: number, out: number): void;
  /**
   * Computes `out[i] = Σ query[j]·rows[indexes[i]][j]` as i32. The query has 16 bits a value; there
   * is at least one index (u32).
   */
  rowProducts(
    query: number,
    queryEnd: number,
    rows: number,
    indexes: number,
    indexesEnd: number,
    out: number,
  ): void;
}

const functions = new WasmFunctions<SignatureMath, SharedMemory>(MODULE, 'vectors');

/** Returns the functions for the calling thread. */
export function signatureMathOver(memory: SharedMemory): SignatureMath {
  return functions.over(memory);
}
