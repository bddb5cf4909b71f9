import type { ParsedDocument } from '#ingest';
import { isSkipped } from '#ingest/parse/parsed-document';
import { parseDocument } from '#ingest/parse-document';
import { redactDocument } from '#ingest/redact/redact-document';

import type { ArtifactOptions } from '../../artifacts/artifact.codec.js';
import { decodeRawPart } from '../../artifacts/raw-part.js';
import { encodeTextPart } from '../../artifacts/text-part.js';
import { partTurn, type PartTurnOptions } from '../part-turn.js';
import type { StageTasks } from '../stage-tasks.js';

/**
 * Converts bytes to text with its language, and removes secrets before anything else uses the text.
 * Documents without text to index are listed with the reason.
 */
export async function parseTask(
  { bytes, ...slice }: StageTasks['parse']['input'],
  { compressFrom, ...options }: PartTurnOptions & ArtifactOptions,
): Promise<StageTasks['parse']['output']> {
  const parsed: ParsedDocument[] = [];
  const skipped: { path: string; reason: string }[] = [];
  const redacted: Record<string, number> = {};
  const next = await partTurn(decodeRawPart(bytes), slice, options, async (document, wasStuck) => {
    const read = wasStuck ? ({ skipped: 'too_slow' } as const) : await parseDocument(document);
    const result = isSkipped(read) ? read : redactDocument(read);
    if ('skipped' in result) {
      skipped.push({ path: document.path, reason: result.skipped });
      return;
    }
    parsed.push(result.document);
    for (const [kind, count] of Object.entries(result.found))
      redacted[kind] = (redacted[kind] ?? 0) + count;
  });
  const texts = encodeTextPart(parsed, { compressFrom });
  return { bytes: texts, parsed: parsed.length, skipped, redacted, next };
}
