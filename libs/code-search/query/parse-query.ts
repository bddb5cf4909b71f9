import { QueryError } from './query-error.js';
import { type QueryNode, type TermField, type TermNode } from './query-node.js';
import { QueryReader, type Written } from './query-reader.js';
import { type QuerySettings, readSetting } from './query-settings.js';

const MOST_TERMS = 20;
/** Each compiled expression may take 10 MiB. */
const MOST_EXPRESSIONS = 8;
const MOST_NESTING = 20;

/** Filters by the names that they have in queries. */
const FILTERS: Readonly<Record<string, TermField | 'lang' | 'case' | 'type'>> = {
  content: 'content',
  c: 'content',
  file: 'file',
  f: 'file',
  path: 'file',
  repo: 'repo',
  r: 'repo',
  sym: 'sym',
  symbol: 'sym',
  lang: 'lang',
  l: 'lang',
  language: 'lang',
  case: 'case',
  type: 'type',
  t: 'type',
};
/** The field of a term without a filter, by the type of the query. */
const PLAIN_FIELDS: Readonly<Record<QuerySettings['type'], TermField>> = {
  content: 'content',
  file: 'file',
  symbol: 'sym',
  repo: 'repo',
};
const FILTER = /^(\p{L}+):(?![:/\\]|$)/u;
const KNOWN_FILTER = /^(\p{L}+):(?!:)/u;
const NEGATION = /^-[\p{L}\p{N}_"(/]/u;

/**
 * Reads a query: words, phrases and expressions that must all be in a document, with filters,
 * negations, `or` and parentheses.
 * @throws QueryError with the position of the problem.
 */
export function parseQuery(query: string): QueryNode {
  return readQuery(query).root;
}

/** A query with the kind of results that it asks for. */
export interface ReadQuery {
  readonly root: QueryNode;
  /** True if it lists sources instead of documents. */
  readonly listsSources: boolean;
}

/** Reads a query as {@link parseQuery} does, with the kind of its results. */
export function readQuery(query: string): ReadQuery {
  return new QueryParser(query).parse();
}

/** A term whose field and case depend on settings that may follow it. */
interface RawTerm extends TermNode {
  readonly isPlain: boolean;
}

class QueryParser {
  private readonly reader: QueryReader;
  private readonly settings: { case?: QuerySettings['case']; type?: QuerySettings['type'] } = {};
  private terms = 0;
  private expressions = 0;

  constructor(query: string) {
    this.reader = new QueryReader(query);
  }

  parse(): ReadQuery {
    const raw = this.alternatives(0);
    if (!this.reader.isAtEnd)
      throw this.problem(
        'has a parenthesis that closes nothing; put it in quotes to search for it',
      );
    if (!raw) throw this.problem('must contain a text, an expression or a filter', 0);
    const settings = { case: this.settings.case ?? 'auto', type: this.settings.type ?? 'content' };
    const root = settled(raw, settings);
    if (!isPositive(root)) {
      const message =
        'must contain a term without negation, in each alternative of an or; add one, ' +
        'for example file:.';
      throw new QueryError(message, 0);
    }
    return { root, listsSources: settings.type === 'repo' };
  }

  private alternatives(depth: number): QueryNode | undefined {
    const parts: QueryNode[] = [];
    for (;;) {
      const start = this.reader.at;
      const part = this.conjunction(depth);
      const isOr = this.operator('or');
      if (!part && (isOr || parts.length > 0))
        throw this.problem('has an or without terms on both sides; put "or" in quotes', start);
      if (part) parts.push(part);
      if (!isOr) return joined('or', parts);
      this.reader.at += 2;
    }
  }

  private conjunction(depth: number): QueryNode | undefined {
    const parts: QueryNode[] = [];
    for (;;) {
      this.reader.skipSpace();
      if (this.reader.isAtEnd || this.operator('or')) break;
      if (this.reader.peek() === ')') break;
      if (this.operator('and')) {
        this.reader.at += 3;
        continue;
      }
      const part = this.unary(depth);
      if (part) parts.push(part);
    }
    return joined('and', parts);
  }

  private unary(depth: number): QueryNode | undefined {
    const start = this.reader.at;
    const isMinus = NEGATION.test(this.reader.ahead());
    if (!isMinus && !this.operator('not')) return this.primary(depth);
    this.reader.at += isMinus ? 1 : 3;
    this.reader.skipSpace();
    const part = this.reader.isAtEnd ? undefined : this.primary(depth, true);
    if (!part) throw this.problem('has a negation of nothing; put it in quotes', start);
    return { kind: 'not', part };
  }

  private primary(depth: number, isNegated = false): QueryNode | undefined {
    const { reader } = this;
    if (reader.peek() === '(') return this.group(depth);
    const start = reader.at;
    const ahead = reader.ahead();
    const name = (FILTER.exec(ahead) ?? KNOWN_FILTER.exec(ahead))?.[1] ?? '';
    const filter = Object.hasOwn(FILTERS, name) && FILTERS[name];
    if (!filter) {
      if (FILTER.test(ahead)) {
        const known = 'repo, file, lang, sym, content, case, type';
        const remedy = `use ${known}, or put it in quotes to search for it`;
        throw this.problem(`has the unknown filter ${name}; ${remedy}`, start);
      }
      return this.term('content', reader.value(), true);
    }
    reader.at += [...name].length + 1;
    const value = this.filterValue(name, start);
    if (filter === 'lang') return this.counted({ kind: 'lang', language: value.text }, start);
    if (filter !== 'case' && filter !== 'type') return this.term(filter, value, false);
    if (isNegated) throw this.problem(`must not negate ${filter}`, start);
    readSetting(this.settings, filter, value.text, start);
    return undefined;
  }

  private filterValue(name: string, start: number): Written {
    const next = this.reader.peek();
    const value = next === '' || /[\s)]/u.test(next) ? undefined : this.reader.value();
    if (!value || value.text === '')
      throw this.problem(`has no value after ${name}: (write it without a space)`, start);
    return value;
  }

  private group(depth: number): QueryNode {
    const start = this.reader.at;
    if (depth >= MOST_NESTING)
      throw this.problem(`must have at most ${MOST_NESTING} nested groups; write it with fewer`);
    this.reader.at += 1;
    const inner = this.alternatives(depth + 1);
    if (this.reader.peek() !== ')')
      throw this.problem('has an unclosed parenthesis; put it in quotes to search for it', start);
    this.reader.at += 1;
    if (!inner) throw this.problem('has an empty group; put it in quotes to search for it', start);
    return inner;
  }

  private term(field: TermField, { form, text, at }: Written, isPlain: boolean): RawTerm {
    if (text === '') throw this.problem('has an empty phrase; remove it', at);
    const regex = form === 'regex' || (form === 'word' && (field === 'file' || field === 'repo'));
    if (regex) this.expressions += 1;
    if (this.expressions > MOST_EXPRESSIONS)
      throw this.problem(`must have at most ${MOST_EXPRESSIONS} expressions; join them with |`, at);
    const expression = { pattern: text, regex, caseSensitive: false, word: false };
    return this.counted({ kind: 'term', field, expression, at, isPlain }, at);
  }

  private counted<Node extends QueryNode>(node: Node, at: number): Node {
    this.terms += 1;
    if (this.terms > MOST_TERMS)
      throw this.problem(
        `must have at most ${MOST_TERMS} terms; join some in an expression with |`,
        at,
      );
    return node;
  }

  /** Reports whether the next word is an operator. */
  private operator(name: 'or' | 'and' | 'not'): boolean {
    const word = this.reader.ahead().split(')')[0];
    return word === name || word === name.toUpperCase();
  }

  private problem(message: string, position = this.reader.at): QueryError {
    return new QueryError(message, position);
  }
}

function joined(kind: 'and' | 'or', parts: readonly QueryNode[]): QueryNode | undefined {
  return parts.length > 1 ? { kind, parts } : parts[0];
}

/** Applies the settings, which hold for the whole query wherever they stand. */
function settled(node: QueryNode, settings: QuerySettings): QueryNode {
  switch (node.kind) {
    case 'term': {
      const { field, expression, at, isPlain } = node as RawTerm;
      return {
        kind: 'term',
        field: isPlain ? PLAIN_FIELDS[settings.type] : field,
        expression: { ...expression, caseSensitive: isCaseSensitive(field, expression, settings) },
        at,
      };
    }
    case 'lang':
      return node;
    case 'not':
      return { kind: 'not', part: settled(node.part, settings) };
    default:
      return { kind: node.kind, parts: node.parts.map((part) => settled(part, settings)) };
  }
}

function isCaseSensitive(
  field: TermField,
  { pattern, regex }: TermNode['expression'],
  settings: QuerySettings,
): boolean {
  if (settings.case !== 'auto') return settings.case === 'yes';
  if (field === 'file' || field === 'repo') return false;
  return /\p{Lu}/u.test(regex ? pattern.replace(/\\[pP]\{[^}]*\}|\\./gu, '') : pattern);
}

/** Reports whether a document must have something to match, so that not all others do. */
function isPositive(node: QueryNode): boolean {
  if (node.kind === 'not') return false;
  if (node.kind === 'and') return node.parts.some(isPositive);
  return node.kind !== 'or' || node.parts.every(isPositive);
}
