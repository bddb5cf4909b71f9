import type { ParsedDocument } from '#ingest';
import { parseDocument } from '#ingest/parse/parse-document';
import { isSkipped } from '#ingest/parse/parsed-document';

import { decodeRawPart } from '../../artifacts/raw-part.js';
import { encodeTextPart } from '../../artifacts/text-part.js';
import type { StageTasks } from '../stage-tasks.js';

/** Bytes to text with its language; what is no text to index is named with the reason. */
export async function parseTask({ bytes }: StageTasks['parse']['input']): Promise<StageTasks['parse']['output']> {
  const parsed: ParsedDocument[] = [];
  const skipped: { path: string; reason: string }[] = [];
  for (const document of decodeRawPart(bytes)) {
    const result = await parseDocument(document);
    if (isSkipped(result)) skipped.push({ path: document.path, reason: result.skipped });
    else parsed.push(result);
  }
  return { bytes: encodeTextPart(parsed), parsed: parsed.length, skipped };
}
