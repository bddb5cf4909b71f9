import type { Chunk } from '#contracts';

import type { ParsedDocument } from '../parse/parsed-document.js';
import { Definitions, type FoundName } from './definitions.js';
import { finishChunks } from './finish-chunks.js';
import type { LineSpan } from './limits.js';
import { LineTable } from './line-table.js';
import { Marks } from './marks.js';
import { outlineLines } from './outline-lines.js';
import { OUTLINES } from './outlines.js';
import { packBlocks } from './pack-blocks.js';
import { pageLines, proseLines } from './prose-lines.js';
import { specChunks } from './spec-chunks.js';
import { sqlStatements } from './sql-statements.js';

/**
 * Returns the chunks of a document that is cut without a grammar; undefined for code that may have
 * one. A thread that gets no such code loads neither tree-sitter nor the queries of the languages.
 */
export function chunksWithoutGrammar(document: ParsedDocument): readonly Chunk[] | undefined {
  const { kind, language, text } = document;
  if (kind === 'openapi') return specChunks(text);
  const outline = kind === 'code' && Object.hasOwn(OUTLINES, language) && OUTLINES[language];
  if (kind === 'code' && language !== 'sql' && !outline) return undefined;
  const lines = new LineTable(text);
  if (lines.count === 0) return [];
  if (kind === 'prose' || kind === 'page') return proseChunks(document, lines);
  if (language === 'sql') return namedChunks(document, lines, sqlStatements(lines));
  if (!outline) return blockChunks(document, lines);
  return namedChunks(document, lines, outlineLines(lines, outline));
}

/** Returns the chunks of a text without a known structure, cut at blank lines. */
export function blockChunks(document: ParsedDocument, lines: LineTable): readonly Chunk[] {
  return finishChunks(lines, packBlocks(lines, { first: 0, last: lines.count - 1 }), {
    chunk_type: 'code',
    language: document.language,
    names: () => ({ defs: [] }),
  });
}

/** Returns the chunks of code whose spans and names are known. */
export function namedChunks(
  document: ParsedDocument,
  lines: LineTable,
  { spans, names }: { readonly spans: readonly LineSpan[]; readonly names: readonly FoundName[] },
): readonly Chunk[] {
  const definitions = new Definitions(names, lines);
  return finishChunks(lines, spans, {
    chunk_type: 'code',
    language: document.language,
    names: (span) => definitions.namesOf(span),
  });
}

function proseChunks(document: ParsedDocument, lines: LineTable): readonly Chunk[] {
  const marks = new Marks(document.marks ?? []);
  return finishChunks(lines, linesOf(document, lines, marks.breaks), {
    chunk_type: 'docs',
    language: document.language,
    counted: document.kind !== 'page',
    names: ({ symbol, first }) => {
      const fragment = marks.at(first);
      const title = symbol ?? pageTitle(fragment);
      return {
        ...(title !== undefined && { symbol: title }),
        ...(fragment !== undefined && { fragment }),
        defs: [],
      };
    },
  });
}

function linesOf(
  { kind, language, headings }: ParsedDocument,
  lines: LineTable,
  breaks: ReadonlySet<number>,
) {
  return kind === 'page' ? pageLines(lines, breaks, headings) : proseLines(lines, language);
}

/** Returns the title of a place without a heading: a page of a PDF has its number. */
function pageTitle(fragment: string | undefined): string | undefined {
  const number = /^#page=(\d+)$/.exec(fragment ?? '')?.[1];
  return number === undefined ? undefined : `Page ${number}`;
}
