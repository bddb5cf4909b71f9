import { Parser } from 'web-tree-sitter';

import type { Chunk } from '#contracts';

import { specChunks } from '../openapi/spec-part.js';
import type { ParsedDocument } from '../parse/parsed-document.js';
import { Definitions } from './definitions.js';
import { finishChunks } from './finish-chunks.js';
import { Grammars, type Grammar } from './grammars.js';
import { CHUNK_LIMITS } from './limits.js';
import { LineTable } from './line-table.js';
import { Marks } from './marks.js';
import { packBlocks } from './pack-blocks.js';
import { pageLines, proseLines } from './prose-lines.js';
import { sqlStatements } from './sql-statements.js';
import { syntaxLines } from './syntax-lines.js';
import { textWindow } from './text-window.js';
import { definitionsOfTree } from './tree-definitions.js';

export interface ChunkerOptions {
  /** Folder of the `tree-sitter-<name>.wasm` files. */
  readonly grammarsDirectory: string;
  /** Longest parse of one file; default 2,000 ms. */
  readonly parseMilliseconds?: number;
}

/**
 * Cuts documents into chunks. Synchronous and CPU-bound: meant for a worker thread, which makes its own.
 *
 * Chunks come in file order and consist of whole lines: content is those lines byte for byte, without the last one's
 * `\n`. Each line that is not blank is in exactly one chunk. Only a line that alone exceeds the hard limit is cut inside;
 * its pieces share its line number. Chunks of a page have no line numbers; each names the mark in force at its first line.
 */
export interface Chunker {
  chunk(document: ParsedDocument): readonly Chunk[];
  /** Files whose parse ran out of time and were cut by lines instead, since the chunker was made. */
  readonly parseTimeouts: number;
  close(): void;
}

export async function createChunker(options: ChunkerOptions): Promise<Chunker> {
  return new SyntaxChunker(
    await Grammars.open(options.grammarsDirectory),
    options.parseMilliseconds ?? CHUNK_LIMITS.parseMilliseconds,
  );
}

class SyntaxChunker implements Chunker {
  parseTimeouts = 0;
  private readonly parser = new Parser();

  constructor(
    private readonly grammars: Grammars,
    private readonly parseMilliseconds: number,
  ) {}

  chunk(document: ParsedDocument): readonly Chunk[] {
    if (document.kind === 'openapi') return specChunks(document.text);
    const lines = new LineTable(document.text);
    if (lines.count === 0) return [];
    if (document.kind === 'prose' || document.kind === 'page') return this.prose(document, lines);
    if (document.language === 'sql') return this.sql(document, lines);
    const grammar = document.kind === 'code' ? this.grammars.get(document.language) : undefined;
    return (grammar && this.code(document, lines, grammar)) ?? this.blocks(document, lines);
  }

  close(): void {
    this.parser.delete();
  }

  private code(document: ParsedDocument, lines: LineTable, grammar: Grammar): readonly Chunk[] | undefined {
    const deadline = performance.now() + this.parseMilliseconds;
    this.parser.setLanguage(grammar.language);
    const tree = this.parser.parse(textWindow(closed(document.text)), null, {
      progressCallback: () => performance.now() > deadline,
    });
    if (tree === null) {
      this.parser.reset();
      this.parseTimeouts += 1;
      return undefined;
    }
    try {
      const definitions = new Definitions(definitionsOfTree(tree.rootNode, grammar.query), lines);
      return finishChunks(lines, syntaxLines(tree.rootNode, lines, grammar.profile), {
        chunk_type: 'code',
        language: document.language,
        names: (span) => definitions.namesOf(span),
      });
    } finally {
      tree.delete();
    }
  }

  private sql(document: ParsedDocument, lines: LineTable): readonly Chunk[] {
    const { spans, names } = sqlStatements(lines);
    const definitions = new Definitions(names, lines);
    return finishChunks(lines, spans, {
      chunk_type: 'code',
      language: document.language,
      names: (range) => definitions.namesOf(range),
    });
  }

  private prose(document: ParsedDocument, lines: LineTable): readonly Chunk[] {
    const marks = new Marks(document.marks ?? []);
    return finishChunks(lines, linesOf(document, lines, marks.breaks), {
      chunk_type: 'docs',
      language: document.language,
      counted: document.kind !== 'page',
      names: ({ symbol, first }) => {
        const fragment = marks.at(first);
        const title = symbol ?? pageTitle(fragment);
        return { ...(title !== undefined && { symbol: title }), ...(fragment !== undefined && { fragment }), defs: [] };
      },
    });
  }

  private blocks(document: ParsedDocument, lines: LineTable): readonly Chunk[] {
    return finishChunks(lines, packBlocks(lines, { first: 0, last: lines.count - 1 }), {
      chunk_type: 'code',
      language: document.language,
      names: () => ({ defs: [] }),
    });
  }
}

function linesOf({ kind, language, headings }: ParsedDocument, lines: LineTable, breaks: ReadonlySet<number>) {
  return kind === 'page' ? pageLines(lines, breaks, headings) : proseLines(lines, language);
}

/**
 * Text with a newline at its end. Some grammars' scanners look for the end of a line and, in a file that breaks off
 * inside of one, never find it (Kotlin's after `@Name`); no time limit reaches them.
 */
function closed(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** What a place without a heading is called by: a page of a PDF has its number. */
function pageTitle(fragment: string | undefined): string | undefined {
  const number = /^#page=(\d+)$/.exec(fragment ?? '')?.[1];
  return number === undefined ? undefined : `Page ${number}`;
}
