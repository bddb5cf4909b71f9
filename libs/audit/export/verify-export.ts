import { ByteLines } from './byte-lines.js';
import { type ExportReport, ExportVerifier } from './export-verifier.js';
import type { CheckpointTerms } from './known-checkpoints.js';

/**
 * Verifies an export that arrives in chunks of bytes. It stops reading at the first break.
 * @throws RangeError for a line above 32 MiB; whatever the chunks throw.
 */
export async function verifyExport(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  terms: CheckpointTerms = {},
): Promise<ExportReport> {
  const lines = new ByteLines();
  const verifier = new ExportVerifier(terms);
  for await (const chunk of chunks) {
    for (const line of lines.push(chunk)) verifier.push(line);
    if (verifier.isBroken) break;
  }
  return verifier.finish(lines.rest);
}
