import { type SharedMemory, WasmFunctions } from '#retrieval/wasm-functions';

/** `signature-math.wat`, assembled. */
const MODULE =
  'AGFzbQEAAAABHwRgBX9/f39/AGAGf39/f39/AGAEf39/fwF/YAF7AX8CFgEHdmVjdG9ycwZtZW1vcnkCAwGAgAQDBgUAAQIDAQctBARzaWduAAAJZXN0aW1hdGVz' +
  'AAEIcmVhY2hpbmcAAgtyb3dQcm9kdWN0cwAECqMOBZcDAgh/AnsgAyABQQF0aiEGIAMhBQNAIAUgACACLwEAaiwAACACLgECbDsBACACQQRqIQIgBUECaiEFIAUg' +
  'BkkNAAsgAyEHA0AgB0GAAmohDEGAASEIA0AgByELA0AgCyEJIAsgCGohCgNAIAn9AAQAIQ0gCSAIav0ABAAhDiAJIA0gDv2OAf0LBAAgCSAIaiANIA79kQH9CwQA' +
  'IAlBEGohCSAJIApJDQALIAogCGohCyALIAxJDQALIAhBAXYhCCAIQRBPDQALIAwhByAHIAZJDQALIAMhBQNAIAX9AAQAIQ0gDSAN/Q0ICQoLDA0ODwABAgMEBQYH' +
  'IA39DAEAAQABAAEA///////////9lQH9jgEhDSANIA39DQQFBgcAAQIDDA0ODwgJCgsgDf0MAQABAP////8BAAEA//////2VAf2OASENIA0gDf0NAgMAAQYHBAUK' +
  'CwgJDg8MDSAN/QwBAP//AQD//wEA//8BAP///ZUB/Y4BIQ0gBCAN/YQBOgAAIARBIGohBCAFQRBqIQUgBSAGSQ0ACwvgBAIBfwp7/QwPDw8PDw8PDw8PDw8PDw8P' +
  'IQkgBf0QIQoDQP0MAAAAAAAAAAAAAAAAAAAAACEN/QwAAAAAAAAAAAAAAAAAAAAAIQ79DAAAAAAAAAAAAAAAAAAAAAAhD/0MAAAAAAAAAAAAAAAAAAAAACEQIAAh' +
  'BgNAIAb9AAQAIQsgBv0ABBAhDCAC/QAEACEHIAsgByAJ/U79gAIgDCAHQQT9jQEgCf1O/YAC/W4hCCANIAj9jgEhDSAOIAhBCP2NAf2OASEOIAL9AAQQIQcgCyAH' +
  'IAn9Tv2AAiAMIAdBBP2NASAJ/U79gAL9biEIIA8gCP2OASEPIBAgCEEI/Y0B/Y4BIRAgBv0ABCAhCyAG/QAEMCEMIAL9AAQgIQcgCyAHIAn9Tv2AAiAMIAdBBP2N' +
  'ASAJ/U79gAL9biEIIA0gCP2OASENIA4gCEEI/Y0B/Y4BIQ4gAv0ABDAhByALIAcgCf1O/YACIAwgB0EE/Y0BIAn9Tv2AAv1uIQggDyAI/Y4BIQ8gECAIQQj9jQH9' +
  'jgEhECACQcAAaiECIAZBwABqIQYgBiABSQ0ACyANIA5BCP2LAf2RASAK/ZEBIQ0gDiAK/ZEBIQ4gBCANIA79DQABEBECAxITBAUUFQYHFhf9CwQAIAQgDSAO/Q0I' +
  'CRgZCgsaGwwNHB0ODx4f/QsEECAPIBBBCP2LAf2RASAK/ZEBIQ8gECAK/ZEBIRAgBCAPIBD9DQABEBECAxITBAUUFQYHFhf9CwQgIAQgDyAQ/Q0ICRgZCgsaGwwN' +
  'HB0ODx4f/QsEMCAEQcAAaiEEIAIgA0kNAAsLawICfwF7IAL9ECEGA0AgAP0ABAAgBv01IAD9AAQQIAb9Nf1l/WQhBQJAIAVFDQADQCADIAQgBWhqNgIAIANBBGoh' +
  'AyAFIAVBAWtxIQUgBQ0ACwsgBEEQaiEEIABBIGohACAAIAFJDQALIAMLGQAgAP0bACAA/RsBaiAA/RsCIAD9GwNqagufBQIGfwt7IAEgAGtBAXYhCwJAA0AgA0EQ' +
  'aiAESw0BIAIgAygCACALbGohBv0MAAAAAAAAAAAAAAAAAAAAACEM/QwAAAAAAAAAAAAAAAAAAAAAIRAgAiADKAIEIAtsaiEH/QwAAAAAAAAAAAAAAAAAAAAAIQ39' +
  'DAAAAAAAAAAAAAAAAAAAAAAhESACIAMoAgggC2xqIQj9DAAAAAAAAAAAAAAAAAAAAAAhDv0MAAAAAAAAAAAAAAAAAAAAACESIAIgAygCDCALbGohCf0MAAAAAAAA' +
  'AAAAAAAAAAAAACEP/QwAAAAAAAAAAAAAAAAAAAAAIRMgACEKA0AgCv0ABAAhFSAK/QAEECEWIAb9AAQAIRQgFCAVIAz9kwIhDCAUIBYgEP2TAiEQIAZBEGohBiAH' +
  '/QAEACEUIBQgFSAN/ZMCIQ0gFCAWIBH9kwIhESAHQRBqIQcgCP0ABAAhFCAUIBUgDv2TAiEOIBQgFiAS/ZMCIRIgCEEQaiEIIAn9AAQAIRQgFCAVIA/9kwIhDyAU' +
  'IBYgE/2TAiETIAlBEGohCSAKQSBqIQogCiABSQ0ACyAFIAwgEP2xARADNgIAIAUgDSAR/bEBEAM2AgQgBSAOIBL9sQEQAzYCCCAFIA8gE/2xARADNgIMIAVBEGoh' +
  'BSADQRBqIQMMAAsLAkADQCADIARPDQEgAiADKAIAIAtsaiEG/QwAAAAAAAAAAAAAAAAAAAAAIQz9DAAAAAAAAAAAAAAAAAAAAAAhECAAIQoDQCAK/QAEACEVIAr9' +
  'AAQQIRYgBv0ABAAhFCAUIBUgDP2TAiEMIBQgFiAQ/ZMCIRAgBkEQaiEGIApBIGohCiAKIAFJDQALIAUgDCAQ/bEBEAM2AgAgBUEEaiEFIANBBGohAwwACwsL';

/** Functions over addresses of one memory. */
export interface SignatureMath {
  /**
   * Writes the signature of a row, its bytes 32 apart. An entry of the order is an index (u16) and
   * a sign (i16), one for each dimension, a multiple of 128. `space` takes two bytes a dimension.
   */
  sign(row: number, dimensions: number, order: number, space: number, out: number): void;
  /**
   * Writes the estimates (i16) of whole groups of 32 signatures, at least one. An estimate is the
   * sum of a value (u8, at most 126) from each table, less `lift`.
   */
  estimates(
    tables: number,
    tablesEnd: number,
    group: number,
    groupsEnd: number,
    out: number,
    lift: number,
  ): void;
  /**
   * Writes the indexes (u32) of the values (i16) from `at` to `end`, 16 at a time, that reach
   * `least`.
   * @returns the end of what was written.
   */
  reaching(at: number, end: number, least: number, out: number): number;
  /**
   * Computes `out[i] = Σ query[j]·rows[indexes[i]][j]` as i32. The query has two bytes a dimension:
   * for each 16 dimensions the positive values, and then the sizes of the negative ones. A value is
   * at most 127, and 0 where the query has the other sign. There is at least one index (u32).
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
