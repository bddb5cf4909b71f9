import { createHash } from 'node:crypto';

import type { RoverCitation } from '#contracts';
import type { RepositoryFile, RepositoryFiles } from '#ingest/git/read-repository-files';
import { redactSecrets } from '#ingest/redact/redact-secrets';

/** The state of a citation on its host. */
export interface CheckedCitation {
  readonly status: 'matches' | 'changed' | 'gone';
  /** The reason; null if it matches. */
  readonly detail: string | null;
}

const MATCHES: CheckedCitation = Object.freeze({ status: 'matches', detail: null });
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Compares a citation with its repository at the cited commit. */
export function checkAtCommit(
  citation: RoverCitation,
  { files }: RepositoryFiles,
): CheckedCitation {
  const file = files.get(citation.path);
  if (!file) return { status: 'gone', detail: 'The commit has no such file' };
  return hasPassage(citation, file)
    ? MATCHES
    : { status: 'changed', detail: 'The commit has another text in these lines' };
}

/**
 * Compares a citation with the default branch of its repository, because the host no longer has the
 * cited commit.
 * @param now null if the host no longer serves the repository.
 */
export function checkWithoutCommit(
  citation: RoverCitation,
  now: RepositoryFiles | null,
): CheckedCitation {
  if (!now)
    return { status: 'gone', detail: 'The host no longer serves the repository, or it is private' };
  const file = now.files.get(citation.path);
  const lost = 'The host no longer has the commit';
  if (!file) return { status: 'gone', detail: `${lost}, and ${now.commit} has no such file` };
  const isSame = hasPassage(citation, file);
  const text = isSame ? 'the same text' : 'another text';
  return { status: 'changed', detail: `${lost}; ${now.commit} has ${text} in these lines` };
}

/**
 * Returns whether a file is the cited one and has the cited text in the cited lines. Secrets are
 * compared as their markers, because no citation has them.
 */
function hasPassage(
  { path, blob_id, content, sha256, start_line, end_line }: RoverCitation,
  { blobId, bytes }: RepositoryFile,
): boolean {
  if (blob_id !== undefined && blob_id !== blobId) return false;
  if (createHash('sha256').update(content, 'utf8').digest('hex') !== sha256) return false;
  const lines = redactSecrets(decoder.decode(bytes), path).text.split('\n');
  const cited = lines.slice((start_line ?? 1) - 1, end_line ?? lines.length);
  // A passage may be a part of a long line.
  return cited.join('\n').includes(content.replace(/\n$/, ''));
}
