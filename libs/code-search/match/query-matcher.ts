import { allOf, ANY_TEXT, oneOf, type RequiredText } from '#contracts/content/required-text';

import type { LineEngine, LineMatcher } from '../pattern/line-engine.port.js';
import { PatternError } from '../pattern/pattern-error.js';
import { type QueryNode, type TermNode, termsOf } from '../query/query-node.js';
import type { LineText } from './line-text.js';
import { matchLines } from './match-lines.js';
import type { ScannedDocument } from './matched-line.js';
import { unionMatcher } from './union-matcher.js';

/** The lines of a document to show. */
export interface DocumentMatcher {
  /** Finds matches in lines; undefined if the query selects the document by its path alone. */
  readonly lines: LineMatcher | undefined;
  /** Names of definitions whose lines match. */
  readonly symbols: LineMatcher | undefined;
}

/** A query with its compiled terms. It belongs to the thread that compiled it. */
export class QueryMatcher {
  private readonly matchers = new Map<TermNode, LineMatcher>();
  /** The only term that is matched with lines, if every document must match it. */
  private readonly decisive: TermNode | undefined;
  /** True if the query matches blank lines. */
  readonly matchesBlank: boolean;

  /** @throws PatternError with its position in the whole query. */
  constructor(
    private readonly root: QueryNode,
    engine: LineEngine,
  ) {
    try {
      for (const term of termsOf(root)) this.matchers.set(term, compile(engine, term));
    } catch (error) {
      this.free();
      throw error;
    }
    const lineTerms = termsOf(root).filter(({ field }) => field === 'content');
    const [first] = lineTerms;
    this.decisive = lineTerms.length === 1 && first && isRequired(root, first) ? first : undefined;
    this.matchesBlank = lineTerms.some((term) =>
      ['', ' ', '\t'].some((blank) => this.matcher(term).find(blank).length > 0),
    );
  }

  /** Returns what to look for in a document; undefined if the query rejects it. */
  select(document: ScannedDocument, lines: LineText): DocumentMatcher | undefined {
    const known = new Map<TermNode, boolean>();
    const holds = (term: TermNode): boolean => {
      const answer = known.get(term) ?? this.holds(term, document, lines);
      known.set(term, answer);
      return answer;
    };
    if (!isTrue(this.root, document, holds)) return undefined;
    const shown = shownTerms(this.root, document, holds);
    const of = (field: TermNode['field']) =>
      unionMatcher(shown.filter((term) => term.field === field).map((term) => this.matcher(term)));
    return { lines: of('content'), symbols: of('sym') };
  }

  /** Returns the condition that each document which the query accepts meets. */
  requiredText(node: QueryNode = this.root): RequiredText {
    if (node.kind === 'term')
      return node.field === 'content' ? this.matcher(node).requiredText : ANY_TEXT;
    if (node.kind === 'and' || node.kind === 'or') {
      const parts = node.parts.map((part) => this.requiredText(part));
      return node.kind === 'and' ? allOf(parts) : oneOf(parts);
    }
    return ANY_TEXT;
  }

  free(): void {
    for (const matcher of this.matchers.values()) matcher.free();
    this.matchers.clear();
  }

  private holds(term: TermNode, document: ScannedDocument, lines: LineText): boolean {
    const matcher = this.matcher(term);
    const has = (text: string): boolean => matcher.find(text).length > 0;
    switch (term.field) {
      case 'file':
        return has(document.path);
      case 'repo':
        return has(document.repo ?? '');
      case 'sym':
        return (document.symbols ?? []).some(({ name }) => has(name));
      default:
        // The search of its lines shows whether it matches.
        return term === this.decisive || hasMatch(lines, matcher);
    }
  }

  private matcher(term: TermNode): LineMatcher {
    return this.matchers.get(term) as LineMatcher;
  }
}

function compile(engine: LineEngine, { expression, at }: TermNode): LineMatcher {
  try {
    return engine.compile(expression);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    // A pattern that is the whole request begins at 0 and has no place of its own.
    const position = error.position ?? (at > 0 ? 0 : undefined);
    throw new PatternError(
      error.message,
      position === undefined ? undefined : at + position,
      error.mayBeText,
    );
  }
}

function hasMatch(lines: LineText, matcher: LineMatcher): boolean {
  const range = { from: 0, oneByOne: false };
  for (const { found } of matchLines(lines, matcher, range)) if (found.length > 0) return true;
  return false;
}

type Holds = (term: TermNode) => boolean;

function isTrue(node: QueryNode, document: ScannedDocument, holds: Holds): boolean {
  const each = (part: QueryNode): boolean => isTrue(part, document, holds);
  switch (node.kind) {
    case 'term':
      return holds(node);
    case 'lang':
      return node.language.toLowerCase() === document.language?.toLowerCase();
    case 'not':
      return !each(node.part);
    case 'and':
      // Paths and names first, since they need no look at the text.
      return cheapFirst(node.parts).every(each);
    default:
      return cheapFirst(node.parts).some(each);
  }
}

function cheapFirst(parts: readonly QueryNode[]): readonly QueryNode[] {
  const isCheap = (part: QueryNode): boolean =>
    termsOf(part).every(({ field }) => field !== 'content');
  return [...parts.filter(isCheap), ...parts.filter((part) => !isCheap(part))];
}

/** Returns the terms whose matches a document shows: those of all alternatives that hold. */
function shownTerms(node: QueryNode, document: ScannedDocument, holds: Holds): readonly TermNode[] {
  if (node.kind === 'not' || node.kind === 'lang' || !isTrue(node, document, holds)) return [];
  if (node.kind === 'term') return [node];
  return node.parts.flatMap((part) => shownTerms(part, document, holds));
}

/** Reports whether a term must match in each document that the query accepts. */
function isRequired(node: QueryNode, term: TermNode): boolean {
  if (node === term) return true;
  return node.kind === 'and' && node.parts.some((part) => isRequired(part, term));
}
