/** First bytes of a file that contain the mark of a PDF; readers allow other bytes before it. */
export const PDF_HEAD_BYTES = 1_024;

/** Returns whether bytes are a PDF, by their beginning. */
export function isPdf(bytes: Uint8Array): boolean {
  return Buffer.from(
    bytes.buffer,
    bytes.byteOffset,
    Math.min(bytes.byteLength, PDF_HEAD_BYTES),
  ).includes('%PDF-');
}
