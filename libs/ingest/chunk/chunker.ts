import type { Node } from 'web-tree-sitter';

import type { Chunk } from '#contracts';

import type { ParsedDocument } from '../parse/parsed-document.js';
import { componentName, componentParts, scriptsOnly } from './component-parts.js';
import { blockChunks, chunksWithoutGrammar, namedChunks } from './grammarless-chunks.js';
import { type Grammar, Grammars } from './grammars.js';
import { CHUNK_LIMITS, type LineSpan } from './limits.js';
import { LineTable } from './line-table.js';
import { packBlocks } from './pack-blocks.js';
import { syntaxLines } from './syntax-lines.js';
import { SyntaxParser } from './syntax-parser.js';
import { definitionsOfTree } from './tree-definitions.js';

export interface ChunkerOptions {
  /** Folder of the `tree-sitter-<name>.wasm` files. */
  readonly grammarsDirectory: string;
  /**
   * Maximum processor time for the parse of one file and for every read of its tree; default 2,000
   * ms.
   */
  readonly parseMilliseconds?: number;
}

/**
 * Splitter of documents into chunks. It is synchronous and CPU-bound: each worker thread creates
 * its own.
 *
 * Chunks are in file order and consist of whole lines. The content is those lines byte for byte,
 * without the last one's `\n`. Each line that is not blank is in exactly one chunk. Only a line
 * that alone exceeds the hard limit is cut inside; its pieces share its line number. Chunks of a
 * page have no line numbers; each names the mark in force at its first line.
 */
export interface Chunker {
  chunk(document: ParsedDocument): readonly Chunk[];
  /** Number of files since creation that ran out of time and were cut by lines instead. */
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
  private readonly parser: SyntaxParser;

  constructor(
    private readonly grammars: Grammars,
    parseMilliseconds: number,
  ) {
    this.parser = new SyntaxParser(parseMilliseconds);
  }

  chunk(document: ParsedDocument): readonly Chunk[] {
    return chunksWithoutGrammar(document) ?? this.syntaxChunks(document);
  }

  close(): void {
    this.parser.close();
  }

  private syntaxChunks(document: ParsedDocument): readonly Chunk[] {
    const lines = new LineTable(document.text);
    if (lines.count === 0) return [];
    return (
      (COMPONENTS.has(document.language)
        ? this.component(document, lines)
        : this.code(document, lines)) ?? blockChunks(document, lines)
    );
  }

  private code(document: ParsedDocument, lines: LineTable): readonly Chunk[] | undefined {
    const grammar = this.grammars.get(document.language);
    return (
      grammar &&
      this.parsed(document.text, grammar, (root, isUsedUp) =>
        namedChunks(document, lines, {
          spans: syntaxLines(root, lines, grammar.profile),
          names: definitionsOfTree(root, grammar.query, isUsedUp),
        }),
      )
    );
  }

  /**
   * Returns one chunk for a small component. In a larger one, scripts are cut by syntax and the
   * rest at blank lines.
   */
  private component(document: ParsedDocument, lines: LineTable): readonly Chunk[] | undefined {
    const parts = componentParts(lines);
    const scripts = scriptsOnly(lines, parts);
    const grammar = this.grammars.get('typescript');
    return (
      grammar &&
      this.parsed(scripts, grammar, (root, isUsedUp) => {
        const script = new LineTable(scripts);
        const code = syntaxLines(root, script, grammar.profile);
        const small = lines.text.length <= CHUNK_LIMITS.targetCharacters;
        return namedChunks(document, lines, {
          spans: small
            ? [{ first: 0, last: lines.count - 1 }]
            : parts.flatMap((part) =>
                part.script ? within(code, script, part) : packBlocks(lines, part),
              ),
          names: [
            ...componentName(document.path, lines),
            ...definitionsOfTree(root, grammar.query, isUsedUp),
          ],
        });
      })
    );
  }

  /** Returns the result of `read` on a text's tree; undefined, and counted, if time ran out. */
  private parsed<T>(
    text: string,
    grammar: Grammar,
    read: (root: Node, isUsedUp: () => boolean) => T,
  ): T | undefined {
    const result = this.parser.parsed(text, grammar, read);
    if (result === undefined) this.parseTimeouts += 1;
    return result;
  }
}

/** Component languages. Their scripts are parsed as TypeScript, which includes JavaScript. */
const COMPONENTS: ReadonlySet<string> = new Set(['svelte', 'vue']);

/**
 * Returns the spans of a script with its tags. Spans without any code are not cut off separately.
 */
function within(spans: readonly LineSpan[], script: LineTable, part: LineSpan): LineSpan[] {
  const starts = spans
    .filter(({ first, last }) => first <= part.last && last >= part.first)
    .map(({ first, last }) => ({
      first: Math.max(first, part.first),
      last: Math.min(last, part.last),
    }))
    .filter(({ first, last }) => script.slice(first, last).trim() !== '')
    .map(({ first }) => first);
  const cuts = [part.first, ...starts.slice(1)];
  return cuts.map((first, at) => ({ first, last: (cuts[at + 1] ?? part.last + 1) - 1 }));
}
