/** A PDF says so within its first bytes; readers allow something before. */
export const PDF_HEAD_BYTES = 1_024;

/** Whether bytes are those of a PDF, by what they begin with. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.byteLength, PDF_HEAD_BYTES),
  ).includes('%PDF-');
}
