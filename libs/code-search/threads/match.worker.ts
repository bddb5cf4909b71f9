import { ThreadServer } from '#platform/concurrency/thread-server';

import { matchDocuments } from '../match/match-documents.js';
import type { LineExpression, LineMatcher } from '../pattern/line-engine.port.js';
import { PatternError } from '../pattern/pattern-error.js';
import { RustLineEngine } from '../pattern/rust-line-engine.js';
import type { MatchAnswer, MatchRequest } from './match-protocol.js';

/** Compiled expressions that the thread keeps; each takes at most about 10 MiB. */
const KEPT_MATCHERS = 4;

interface Compiled {
  readonly matcher: LineMatcher;
  /** True if the expression matches a blank line. */
  readonly matchesBlank: boolean;
}

const engine = new RustLineEngine();
const compiled = new Map<string, Compiled>();
const server = new ThreadServer<MatchRequest>();
server.serve(answer);
server.opened();

function answer({ expression, documents, budgetMs, stop, ...options }: MatchRequest): MatchAnswer {
  const stopped = new Int32Array(stop);
  const deadline = performance.now() + budgetMs;
  try {
    const { matcher, matchesBlank } = compile(expression);
    const isLate = (): boolean => performance.now() > deadline || Atomics.load(stopped, 0) !== 0;
    const matches = matchDocuments(documents, matcher, { ...options, isLate });
    return { kind: 'matches', matchesBlank, ...matches };
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return { kind: 'bad_pattern', message: error.message, position: error.position };
  }
}

function compile(expression: LineExpression): Compiled {
  const key = JSON.stringify(expression);
  const known = compiled.get(key);
  if (known) return known;
  if (compiled.size >= KEPT_MATCHERS) {
    for (const { matcher } of compiled.values()) matcher.free();
    compiled.clear();
  }
  const matcher = engine.compile(expression);
  const matchesBlank = ['', ' ', '\t'].some((blank) => matcher.find(blank).length > 0);
  compiled.set(key, { matcher, matchesBlank });
  return { matcher, matchesBlank };
}
