import type { IndexedChunk } from '#search-index';

/**
 * A document's lines as its chunks hold them; index 0 is line 1. Lines that belong to no chunk are
 * blank in the source and empty here. A line that was too long for one chunk is put together again.
 * Chunks without line numbers (HTML, PDF, OpenAPI) follow each other with a blank line between.
 */
export function indexedLines(chunks: readonly IndexedChunk[]): string[] {
  if (chunks.some((chunk) => chunk.startLine === undefined)) {
    return chunks
      .map(({ content }) => content)
      .join('\n\n')
      .split('\n');
  }
  const lines: string[] = [];
  for (const { startLine, content } of chunks) {
    const first = (startLine ?? 1) - 1;
    while (lines.length < first) lines.push('');
    for (const [offset, text] of content.split('\n').entries()) {
      const at = first + offset;
      lines[at] = (lines[at] ?? '') + text;
    }
  }
  return lines;
}
