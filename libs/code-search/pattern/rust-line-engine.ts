import { RRegex } from 'rregex';

import { checkExpression, literalExpression } from './expression-checks.js';
import type { ByteSpan, LineEngine, LineExpression, LineMatcher } from './line-engine.port.js';
import { PatternError } from './pattern-error.js';
import { requiredLiteral } from './required-literal.js';

/**
 * Classes of Unicode have hundreds of ranges each, so the parsed form of an expression with many of
 * them is not read.
 */
const MOST_CLASSES_PARSED = 20;
const CLASSES = /\\[dDwWsSpP]|\[|\./g;

/** The engine of the Rust crate `regex` as WebAssembly. */
export class RustLineEngine implements LineEngine {
  compile(expression: LineExpression): LineMatcher {
    const { pattern, regex, caseSensitive, word } = expression;
    if (regex) {
      checkExpression(pattern);
      // Alone first, so that positions are those of the caller and no part closes our own group.
      create(pattern).free();
    }
    const source = regex ? pattern : literalExpression(pattern);
    const [before, after] = word ? ['\\b{start-half}(?:', ')\\b{end-half}'] : ['(?:', ')'];
    const compiled = create(`(?m${caseSensitive ? '' : 'i'})${before}${source}${after}`);
    return {
      requiredLiteral: literalOf(expression, compiled),
      find: (text) => compiled.findAll(text).map(({ start, end }): ByteSpan => [start, end]),
      free: () => compiled.free(),
    };
  }
}

function literalOf(
  { pattern, regex, caseSensitive }: LineExpression,
  compiled: RRegex,
): string | undefined {
  if (!caseSensitive) return undefined;
  if (!regex) return pattern;
  if ((pattern.match(CLASSES)?.length ?? 0) > MOST_CLASSES_PARSED) return undefined;
  return requiredLiteral(compiled.syntax());
}

function create(source: string): RRegex {
  try {
    return new RRegex(source);
  } catch (error) {
    throw patternError(error instanceof Error ? error.message : String(error));
  }
}

/** Reads the position and the problem from the message of the engine. */
function patternError(message: string): PatternError {
  if (/exceeds size limit/i.test(message))
    return new PatternError('is too large when compiled; use smaller counts and fewer classes');
  const lines = message.split('\n');
  const problem = /^error: (.*)$/m.exec(message)?.[1] ?? 'not a regular expression';
  const caret = lines.find((line) => /^ {4} *\^+ *$/.test(line));
  const remedy = remedyFor(problem);
  return new PatternError(
    `must be a regular expression: ${problem}${remedy}`,
    caret === undefined ? undefined : caret.indexOf('^') - 4,
  );
}

function remedyFor(problem: string): string {
  if (/look-around|backreference/.test(problem)) return '; only linear-time syntax can be used';
  if (/unclosed|unopened|repetition operator/.test(problem))
    return '; escape the character with \\ or set regex to false';
  return '';
}
