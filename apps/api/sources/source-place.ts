import { validationFailed } from '#contracts';
import { fileUrlProblem } from '#ingest/git-url/file-url';

import type { SourceRules } from './source-definition.js';

/**
 * Looks where the folder of a `file://` URL really lies; other URLs pass. A fetch looks again.
 * @throws FootnoteError `validation_failed` for a folder that the operator does not allow.
 */
export async function requirePlace(
  url: string | undefined,
  { fileUrls }: SourceRules,
): Promise<void> {
  if (url === undefined || !/^file:/i.test(url) || fileUrls.below.length === 0) return;
  const problem = await fileUrlProblem(url, fileUrls);
  if (problem !== null)
    throw validationFailed([{ field: 'url', message: `is refused: ${problem}` }]);
}
