/** A function with its comment. */
export interface DocumentedFunction {
  readonly name: string;
  /** Without its delimiters. */
  readonly comment: string;
  /** 1-based line of its declaration in the text without comments. */
  readonly line: number;
}

interface Span {
  readonly name: string;
  readonly comment: string;
  /** 0-based lines of the comment, both included, and of the declaration. */
  readonly from: number;
  readonly to: number;
  readonly declaration: number;
}

type Finder = (lines: readonly string[]) => Span[];

/** Lines between a comment and its declaration: decorators, attributes, specifications. */
const BETWEEN = /^\s*(@|#\[|\[)/;
const MAX_BETWEEN = 5;
/** The first name before a parenthesis, if a declaration has one. */
const CALLABLE = /(?<![\w$])([A-Za-z_$][\w$]*)\s*(?:(?:<[^<>]*>|\[[^[\]]*\])\s*)?\(/;
const NO_NAME = new Set([
  'if',
  'for',
  'while',
  'switch',
  'return',
  'catch',
  'async',
  'function',
  'fun',
  'constructor',
]);

const javadoc = before(block(/^\s*\/\*\*/, /\*\/\s*$/), CALLABLE);
const FINDERS: Readonly<Record<string, Finder>> = {
  ...Object.fromEntries(
    ['typescript', 'tsx', 'javascript', 'java', 'kotlin', 'scala', 'c', 'cpp', 'php', 'swift'].map(
      (name) => [name, javadoc],
    ),
  ),
  csharp: before(run(/^\s*\/\/\//), CALLABLE),
  rust: before(run(/^\s*\/\/\//), /\bfn\s+(\w+)/),
  go: before(run(/^\/\//), /^func\s+(?:\([^)]*\)\s*)?(\w+)/),
  ruby: before(run(/^\s*#(?!!)/), /^\s*def\s+(?:self\.)?(\w+)/),
  elixir: before(block(/^\s*@doc\s+(~[sS])?"""/, /^\s*"""\s*$/), /^\s*defp?\s+(\w+)/),
  python: pythonDocstrings,
};

/**
 * Removes comments that document functions from a text and returns them. Texts in unknown languages
 * are unchanged.
 */
export function takeDocstrings(
  language: string,
  text: string,
): { readonly text: string; readonly functions: readonly DocumentedFunction[] } {
  const lines = text.split('\n');
  const spans = FINDERS[language]?.(lines) ?? [];
  const removed = new Set(
    spans.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
  );
  const lineOf = new Map<number, number>();
  const kept = lines.filter((_, at) => {
    if (removed.has(at)) return false;
    lineOf.set(at, lineOf.size + 1);
    return true;
  });
  const functions = spans.map(({ name, comment, declaration }) => ({
    name,
    comment,
    line: lineOf.get(declaration) ?? 1,
  }));
  return { text: kept.join('\n'), functions };
}

/** Returns the end of a comment that begins at a line; undefined if none begins. */
type CommentEnd = (lines: readonly string[], from: number) => number | undefined;

function block(begin: RegExp, end: RegExp): CommentEnd {
  return (lines, from) => {
    if (!begin.test(lines[from] ?? '')) return undefined;
    if (!/"""/.test(lines[from] ?? '') && end.test(lines[from] ?? '')) return from;
    const to = lines.findIndex((line, at) => at > from && end.test(line));
    return to === -1 ? undefined : to;
  };
}

function run(comment: RegExp): CommentEnd {
  return (lines, from) => {
    let to = from;
    while (comment.test(lines[to] ?? '')) to += 1;
    return to === from ? undefined : to - 1;
  };
}

/** Finds comments before their definitions. */
function before(endOf: CommentEnd, declares: RegExp): Finder {
  return (lines) => {
    const spans: Span[] = [];
    for (let from = 0; from < lines.length; from += 1) {
      const to = endOf(lines, from);
      if (to === undefined) continue;
      let declaration = to + 1;
      while (declaration <= to + MAX_BETWEEN && BETWEEN.test(lines[declaration] ?? ''))
        declaration += 1;
      const name = declares.exec(lines[declaration] ?? '')?.[1];
      if (name !== undefined && !NO_NAME.has(name)) {
        spans.push({ name, comment: plain(lines.slice(from, to + 1)), from, to, declaration });
      }
      from = to;
    }
    return spans;
  };
}

/** Finds docstrings, the first statement of their function. */
function pythonDocstrings(lines: readonly string[]): Span[] {
  return lines.flatMap((line, declaration) => {
    const name = /^\s*(?:async\s+)?def\s+(\w+)/.exec(line)?.[1];
    if (name === undefined) return [];
    let from = declaration;
    while (from < lines.length && !/:\s*(?:#|$)/.test(lines[from] ?? '')) from += 1;
    from += 1;
    const quote = /^\s*[rRuU]?("""|''')/.exec(lines[from] ?? '')?.[1];
    if (quote === undefined) return [];
    const closes = (text: string, at: number) =>
      text.trimEnd().endsWith(quote) && (at > from || text.trim().length >= 6);
    const to = lines.findIndex((text, at) => at >= from && closes(text, at));
    return to === -1
      ? []
      : [{ name, comment: plain(lines.slice(from, to + 1)), from, to, declaration }];
  });
}

function plain(lines: readonly string[]): string {
  return lines
    .map((line) =>
      line
        .replace(/^\s*(\/\*\*?|\*(?!\/)|\/\/[/!]?|#|@doc\s+(~[sS])?)\s?/, '')
        .replace(/\*\/\s*$/, ''),
    )
    .join('\n')
    .replace(/^\s*[rRuU]?("""|''')|("""|''')\s*$/g, '');
}
