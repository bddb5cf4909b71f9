import { matchTexts } from '#contracts/content/match-texts';
import type { CodeSearchResponseView } from '#contracts/http/index';

/** An answer without its lines. */
type CodeSearchEnd = Omit<CodeSearchResponseView, 'files'>;

/**
 * Returns an answer as text: `path:line:text` for each line. Lines that begin with `# ` name the
 * source of the lines below, and say at the end whether the answer is complete.
 */
export function codeText(answer: CodeSearchResponseView): string {
  const { files } = answer;
  const lines: string[] = [];
  let sourceId: string | undefined;
  for (const file of files) {
    if (file.source_id !== sourceId) lines.push(`# ${file.source_name} @${file.version_ref}`);
    sourceId = file.source_id;
    if (file.lines.length === 0) lines.push(file.path);
    for (const line of file.lines) lines.push(...matchTexts(file.path, line));
  }
  return [...lines, codeTextEnd(answer, files.length)].join('\n');
}

/** Returns the end of an answer as text, with its sources. @param files with a match. */
export function codeTextEnd(answer: CodeSearchEnd, files: number): string {
  const { sources = [], count, warnings, hints } = answer;
  const found = answer.sources ? `${sources.length} sources` : `${count} lines in ${files} files`;
  return [
    ...sources.map(({ source_name, version_ref }) => `# ${source_name} @${version_ref}`),
    `# ${found}; ${stateOf(answer)}`,
    ...warnings.map((warning) => `# warning: ${warning}`),
    ...hints.map((hint) => `# hint: ${hint}`),
    '',
  ].join('\n');
}

function stateOf(answer: CodeSearchEnd): string {
  const { complete, incomplete_reason: reason, next_cursor: cursor } = answer;
  if (complete) return 'complete';
  return `incomplete (${reason})${cursor === undefined ? '' : `; next_cursor ${cursor}`}`;
}
