import type { ParsedDocument } from '#ingest';
import { parseDocument } from '#ingest/parse/parse-document';
import { isSkipped } from '#ingest/parse/parsed-document';
import { redactDocument } from '#ingest/redact/redact-document';

import { decodeRawPart } from '../../artifacts/raw-part.js';
import { encodeTextPart } from '../../artifacts/text-part.js';
import type { StageTasks } from '../stage-tasks.js';

/**
 * Bytes to text with its language, its secrets taken out before anything is made of it; what is no text to index is named
 * with the reason.
 */
export async function parseTask({ bytes }: StageTasks['parse']['input']): Promise<StageTasks['parse']['output']> {
  const parsed: ParsedDocument[] = [];
  const skipped: { path: string; reason: string }[] = [];
  const redacted: Record<string, number> = {};
  for (const document of decodeRawPart(bytes)) {
    const read = await parseDocument(document);
    const result = isSkipped(read) ? read : redactDocument(read);
    if ('skipped' in result) {
      skipped.push({ path: document.path, reason: result.skipped });
      continue;
    }
    parsed.push(result.document);
    for (const [kind, count] of Object.entries(result.found)) redacted[kind] = (redacted[kind] ?? 0) + count;
  }
  return { bytes: encodeTextPart(parsed), parsed: parsed.length, skipped, redacted };
}
