import { oneOf } from '#contracts/content/required-text';
import { yieldToOthers } from '#platform/concurrency/thread-priority';
import { ThreadServer } from '#platform/concurrency/thread-server';
import { BadSectionsError } from '#search-index/pack/sections';
import { type StoredDocument, StoredDocumentReader } from '#search-index/pack/stored-document';

import { matchDocuments, REDACTED } from '../match/match-documents.js';
import type { ScannedDocument } from '../match/matched-line.js';
import { QueryMatcher } from '../match/query-matcher.js';
import { PatternError } from '../pattern/pattern-error.js';
import { requiredByText } from '../pattern/required-text.js';
import { RustLineEngine } from '../pattern/rust-line-engine.js';
import { type QueryNode, termsOf } from '../query/query-node.js';
import type { MatchAnswer, MatchRequest, PostedDocument } from './match-protocol.js';
import { packMatches } from './packed-matches.js';

/** Compiled terms that the thread keeps; each takes at most about 10 MiB. */
const KEPT_TERMS = 20;

// Searches by meaning and requests of others come first.
yieldToOthers();
const engine = new RustLineEngine();
const reader = new StoredDocumentReader();
const compiled = new Map<string, QueryMatcher>();
/** The compiled queries. */
const kept: QueryNode[] = [];
const server = new ThreadServer<MatchRequest>(buffersOf);
server.serve(answer);
server.opened();

function answer(request: MatchRequest): MatchAnswer {
  return reader.reading(() => matchesOf(request));
}

function matchesOf({ query, documents, budgetMs, stop, ...options }: MatchRequest): MatchAnswer {
  const stopped = new Int32Array(stop);
  const deadline = performance.now() + budgetMs;
  try {
    const matcher = compile(query);
    const isLate = (): boolean => performance.now() > deadline || Atomics.load(stopped, 0) !== 0;
    const matches = matchDocuments(scannedDocuments(documents), matcher, { ...options, isLate });
    const lacksBlankLines = matcher.matchesBlank && matches.lacksBlankLines;
    const required = oneOf([matcher.requiredText(), requiredByText(REDACTED)]);
    const found = packMatches(matches.documents);
    return { kind: 'matches', required, ...matches, documents: found, lacksBlankLines };
  } catch (error) {
    if (error instanceof BadSectionsError) return { kind: 'unread' };
    if (!(error instanceof PatternError)) throw error;
    const { message, position, mayBeText } = error;
    return { kind: 'bad_pattern', message, position, mayBeText };
  }
}

/** Returns the memory of an answer, which is transferred. */
function buffersOf(answer: unknown): ArrayBuffer[] {
  const found = answer as MatchAnswer;
  return found.kind === 'matches' ? [found.documents.numbers.buffer] : [];
}

/** Returns documents that read their texts when they are looked at. */
function scannedDocuments(documents: readonly PostedDocument[]): readonly ScannedDocument[] {
  return documents.map(({ text, ...document }, at) => {
    if (!('files' in text)) return { ...document, text };
    return {
      ...document,
      get text() {
        return reader.read(text, storedAfter(documents, at));
      },
    };
  });
}

/** Returns the documents after one whose texts are read here too. */
function* storedAfter(
  documents: readonly PostedDocument[],
  index: number,
): Iterable<StoredDocument> {
  for (let at = index + 1; at < documents.length; at += 1) {
    const { text } = documents[at] as PostedDocument;
    if ('files' in text) yield text;
  }
}

function compile(query: QueryNode): QueryMatcher {
  const key = JSON.stringify(query);
  const known = compiled.get(key);
  if (known) return known;
  const terms = [query, ...kept].reduce((sum, each) => sum + termsOf(each).length, 0);
  if (terms > KEPT_TERMS) {
    for (const matcher of compiled.values()) matcher.free();
    compiled.clear();
    kept.length = 0;
  }
  const matcher = new QueryMatcher(query, engine);
  compiled.set(key, matcher);
  kept.push(query);
  return matcher;
}
