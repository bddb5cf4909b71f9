import { createHash } from 'node:crypto';

import type { ReceiptCode } from '#contracts';

/** An entry of an answer: its file, and the values that the digest covers. */
export interface EvidenceEntry {
  readonly source_id: string;
  readonly path: string;
  readonly values: readonly unknown[];
}

/** Returns the evidence of an answer for its receipt. */
export function navigationEvidence(
  entries: readonly EvidenceEntry[],
  { complete, reason }: { readonly complete: boolean; readonly reason: ReceiptCode['reason'] },
): ReceiptCode {
  const hash = createHash('sha256');
  const files = new Set<string>();
  for (const { source_id, path, values } of entries) {
    files.add(`${source_id}/${path}`);
    hash.update(`${JSON.stringify(values)}\n`);
  }
  return {
    lines: entries.length,
    files: files.size,
    documents: files.size,
    complete,
    ...(reason && { reason }),
    digest: hash.digest('hex'),
  };
}
