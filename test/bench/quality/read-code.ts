import { readDocuments } from '#distil';
import type { ParsedDocument } from '#ingest';

/**
 * The code files of a repository at a revision, chosen as a sync chooses them; prose and data are
 * left out.
 */
export function readCode(gitFolder: string, revision: string, root?: string): ParsedDocument[] {
  // Figures published for such sets are of code files alone.
  return readDocuments(gitFolder, revision, { root }).filter(({ kind }) => kind === 'code');
}
