import type { Chunk } from '#contracts';
import type { Chunker, ParsedDocument } from '#ingest';

import { takeDocstrings } from './take-docstrings.js';
import type { TextPair } from './text-pair.js';

const MIN_COMMENT_WORDS = 4;
const MAX_COMMENT = 400;
const MIN_SECTION = 200;
/**
 * Number of inner titles of a heading trail that form the question: the outer ones are those of the
 * whole document.
 */
const TRAIL_TITLES = 2;
/** A sentence within running text that is long enough. */
const SENTENCE = /(?:^|\n)(\p{Lu}[^\n.?!]{25,160}[.?!])\s/u;

/**
 * Returns the pairs of a document: a comment and its definition, a heading and its section, a
 * sentence and its context.
 */
export function documentPairs(
  document: ParsedDocument,
  chunks: readonly Chunk[],
  chunker: Chunker,
): TextPair[] {
  return document.kind === 'code'
    ? commentPairs(document, chunker)
    : sectionPairs(document, chunks);
}

function commentPairs(document: ParsedDocument, chunker: Chunker): TextPair[] {
  const { text, functions } = takeDocstrings(document.language, document.text);
  if (functions.length === 0) return [];
  const chunks = chunker.chunk({ ...document, text });
  return functions.flatMap(({ comment, line }): TextPair[] => {
    const question = firstParagraph(comment);
    const chunk = chunks.find(
      ({ start_line: from = 0, end_line: to = 0 }) => from <= line && line <= to,
    );
    if (!chunk || question.split(' ').length < MIN_COMMENT_WORDS) return [];
    return [
      { kind: 'comment', group: document.path, question, passage: fieldsOf(document, chunk) },
    ];
  });
}

/** Returns the first paragraph without following tags and headings, on one line. */
function firstParagraph(comment: string): string {
  const [paragraph = ''] = comment.trim().split(/\n[^\S\n]*[\n@:]/);
  return paragraph.replace(/\s+/g, ' ').slice(0, MAX_COMMENT).toWellFormed();
}

function sectionPairs(document: ParsedDocument, chunks: readonly Chunk[]): TextPair[] {
  const { path } = document;
  return chunks.flatMap((chunk): TextPair[] => {
    const { symbol, content } = chunk;
    if (symbol === undefined || content.length <= MIN_SECTION) return [];
    const text = content.replace(/^#+ .*\n/, '');
    const heading = symbol.split(' > ').slice(-TRAIL_TITLES).join(' ');
    // The passage does not contain the heading, whose words would find it.
    const pairs: TextPair[] = [
      {
        kind: 'heading',
        group: path,
        question: heading,
        passage: { path, defs: [], content: text },
      },
    ];
    const sentence = SENTENCE.exec(text)?.[1];
    if (sentence !== undefined) {
      const passage = { ...fieldsOf(document, chunk), content: text.replace(sentence, ' ') };
      pairs.push({ kind: 'sentence', group: path, question: sentence, passage });
    }
    return pairs;
  });
}

function fieldsOf({ path }: ParsedDocument, { symbol, defs, content }: Chunk): TextPair['passage'] {
  return { path, symbol, defs, content };
}
