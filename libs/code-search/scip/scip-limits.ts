/** Upper bounds of one SCIP index. */
export const SCIP_LIMITS = {
  /** Bytes of the whole index. */
  bytes: 256 * 1024 * 1024,
  /** Bytes of one document, which is in memory as a whole. */
  documentBytes: 32 * 1024 * 1024,
  documents: 200_000,
  occurrences: 4_000_000,
  /** Distinct symbols; those that are local to a document count for each document. */
  symbols: 1_000_000,
  /** Bytes of one symbol. */
  symbolBytes: 8_192,
} as const;
