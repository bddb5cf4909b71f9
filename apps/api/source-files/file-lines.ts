import { FootnoteError, validationFailed } from '#contracts';
import type { SourceFileQuery, SourceFileView } from '#contracts/http/index';

import { linesOfText } from './file-text.js';
import type { SourceFile } from './get-source-file.js';

/** Maximum number of lines in one answer. */
const MAX_LINES = 2_000;

/** 1-based and inclusive. */
export interface FileLineRange {
  readonly first: number;
  readonly last: number;
}

/** @throws FootnoteError `validation_failed` for a range that is reversed or too long. */
export function lineRangeOf({ from_line = 1, to_line }: SourceFileQuery): FileLineRange {
  const last = to_line ?? from_line + MAX_LINES - 1;
  const problem =
    last < from_line
      ? 'must not be less than from_line'
      : last - from_line >= MAX_LINES
        ? `must be within ${MAX_LINES} lines of from_line`
        : undefined;
  if (problem !== undefined) throw validationFailed([{ field: 'to_line', message: problem }]);
  return { first: from_line, last };
}

/**
 * Returns lines of a file.
 * @throws FootnoteError `content_not_found` if the file ends before them.
 */
export function fileLines(
  { generation, document, chunks, text, differences }: SourceFile,
  { first, last }: FileLineRange,
): SourceFileView {
  const lines = linesOfText(text);
  if (first > Math.max(1, lines.length))
    throw new FootnoteError('content_not_found', `The document ends at line ${lines.length}`);
  const end = Math.min(last, lines.length);
  return {
    source_id: generation.source_id,
    generation: generation.generation,
    version_ref: generation.version_ref,
    path: document.path,
    language: chunks[0]?.language ?? null,
    from_line: first,
    to_line: end,
    total_lines: lines.length,
    next_line: end < lines.length ? end + 1 : null,
    lines: lines.slice(first - 1, end),
    final_newline: text.endsWith('\n'),
    exact: differences.length === 0,
    differences,
    version: document.version,
  };
}
