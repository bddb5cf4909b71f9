import { oneOf } from '#contracts/content/required-text';
import { yieldToOthers } from '#platform/concurrency/thread-priority';
import { ThreadServer } from '#platform/concurrency/thread-server';
import { BadSectionsError } from '#search-index/pack/sections';
import { StoredDocumentReader } from '#search-index/pack/stored-document-reader';

import { type DocumentLabel, LineWriter } from '../match/line-writer.js';
import { matchDocuments, REDACTED, scanMatches } from '../match/match-documents.js';
import type { ScannedDocument } from '../match/matched-line.js';
import { QueryMatcher } from '../match/query-matcher.js';
import { PatternError } from '../pattern/pattern-error.js';
import { requiredByText } from '../pattern/required-text.js';
import { RustLineEngine } from '../pattern/rust-line-engine.js';
import { type QueryNode, termsOf } from '../query/query-node.js';
import type { MatchAnswer, MatchRequest, PostedDocument } from './match-protocol.js';
import { packMatches } from './packed-matches.js';
import { type PackedRequest, unpackRequest } from './packed-request.js';

/** Compiled terms that the thread keeps; each takes 1 to 3 MiB, and at most about 10. */
const KEPT_TERMS = 8;

// Searches by meaning and requests of others come first.
yieldToOthers();
const engine = new RustLineEngine();
const reader = new StoredDocumentReader();
const compiled = new Map<string, QueryMatcher>();
/** The compiled queries. */
const kept: QueryNode[] = [];
const server = new ThreadServer<PackedRequest>(buffersOf);
server.serve(answer);
server.opened();

function answer(request: PackedRequest): MatchAnswer {
  return reader.reading(() => matchesOf(unpackRequest(request)));
}

function matchesOf(request: MatchRequest): MatchAnswer {
  const { query, budgetMs, stop } = request;
  const stopped = new Int32Array(stop);
  const deadline = performance.now() + budgetMs;
  try {
    const matcher = compile(query);
    const isLate = (): boolean => performance.now() > deadline || Atomics.load(stopped, 0) !== 0;
    const find = request.writesText === true ? writtenOf : packedOf;
    const matches = find(request, matcher, isLate);
    const lacksBlankLines = matcher.matchesBlank && matches.lacksBlankLines;
    const required = oneOf([matcher.requiredText(), requiredByText(REDACTED)]);
    return { required, ...matches, lacksBlankLines };
  } catch (error) {
    if (error instanceof BadSectionsError) return { kind: 'unread' };
    if (!(error instanceof PatternError)) throw error;
    const { message, position, mayBeText } = error;
    return { kind: 'bad_pattern', message, position, mayBeText };
  }
}

type IsLate = () => boolean;

function packedOf(request: MatchRequest, matcher: QueryMatcher, isLate: IsLate) {
  const scanned = scannedDocuments(request.documents);
  const matches = matchDocuments(scanned, matcher, { ...request, isLate });
  return { kind: 'matches', ...matches, documents: packMatches(matches.documents) } as const;
}

function writtenOf(request: MatchRequest, matcher: QueryMatcher, isLate: IsLate) {
  const { documents, contextLines } = request;
  const writer = new LineWriter((at) => documents[at]?.label as DocumentLabel, contextLines);
  const range = scanMatches(
    scannedDocuments(documents),
    matcher,
    { ...request, isLate },
    writer.write,
  );
  return { kind: 'written', ...range, documents: writer.written() } as const;
}

/** Returns the memory of an answer, which is transferred. */
function buffersOf(answer: unknown): ArrayBuffer[] {
  const found = answer as MatchAnswer;
  if (found.kind === 'matches') return [found.documents.numbers.buffer];
  if (found.kind !== 'written') return [];
  const { numbers, text, evidence } = found.documents;
  return [numbers.buffer, text.buffer, evidence.buffer];
}

/** Returns documents that read their texts when they are looked at. */
function scannedDocuments(documents: readonly PostedDocument[]): readonly ScannedDocument[] {
  return documents.map(({ text, ...document }) => {
    if (!('packs' in text)) return { ...document, text };
    return {
      ...document,
      get text() {
        return reader.read(text);
      },
    };
  });
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
