import { createHash } from 'node:crypto';

import { CONTENT_VERSION } from '#apps/pipeline/stages/recipe';
import type { Chunker, ParsedDocument } from '#ingest';
import type { LocalModel } from '#retrieval';
import { analyzeChunks } from '#search-index';

import { chunkSet, packOf } from './index-set.js';

const CODE = `/** Counts the words of a text. */
export class Words {
  // An empty text has none.
  count(text: string): number {
    return text.split(/\\s+/).filter(Boolean).length;
  }
}
`;
const PROSE =
  '# Words\n\nHow words are counted.\n\n## Empty texts\n\nAn empty text has no words.\n';

const SAMPLES: readonly ParsedDocument[] = [
  { path: 'src/words.ts', kind: 'code', language: 'typescript', text: CODE },
  { path: 'docs/words.md', kind: 'prose', language: 'markdown', text: PROSE },
];

/**
 * Returns a hash of everything but the documents that determines a pack: the version of the
 * content, chunks, analysis, vectors and the format. It is the hash of the pack of a fixed sample.
 */
export function packRecipe(chunker: Chunker, model: LocalModel): string {
  const part = analyzeChunks(chunkSet({ documents: () => SAMPLES }, chunker), model);
  const { bytes } = packOf({ name: 'sample', revision: '1' }, part, model);
  const hash = createHash('sha256').update(String(CONTENT_VERSION)).update(bytes);
  return hash.digest('hex').slice(0, 12);
}
