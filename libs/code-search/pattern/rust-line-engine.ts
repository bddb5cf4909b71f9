import { ANY_TEXT, type RequiredText } from '#contracts/content/required-text';

import { checkExpression, literalExpression } from './expression-checks.js';
import type { ByteSpan, LineEngine, LineExpression, LineMatcher } from './line-engine.port.js';
import type { ParsedExpression } from './parsed-expression.js';
import { PatternError } from './pattern-error.js';
import { type CompiledRegex, RegexInstances } from './regex-instances.js';
import { requiredLiteral } from './required-literal.js';
import { requiredByExpression, requiredByText } from './required-text.js';

/**
 * Classes of Unicode have hundreds of ranges each, so the parsed form of an expression with many of
 * them is not read.
 */
const MOST_CLASSES_PARSED = 20;
const CLASSES = /\\[dDwWsSpP]|\[|\./g;

/** The engine of the Rust crate `regex` as WebAssembly. */
export class RustLineEngine implements LineEngine {
  private readonly instances = new RegexInstances();

  compile(expression: LineExpression): LineMatcher {
    const { pattern, regex, caseSensitive, word } = expression;
    if (regex) {
      checkExpression(pattern);
      // Alone first, so that positions are those of the caller and no part closes our own group.
      this.create(pattern).free();
    }
    const source = regex ? pattern : literalExpression(pattern);
    const [before, after] = word ? ['\\b{start-half}(?:', ')\\b{end-half}'] : ['(?:', ')'];
    const compiled = this.create(`(?m${caseSensitive ? '' : 'i'})${before}${source}${after}`);
    const parsed = parsedOf(expression, compiled);
    const wanted = !regex && caseSensitive && !word ? Buffer.from(pattern) : undefined;
    return {
      requiredLiteral: literalOf(expression, parsed),
      requiredText: requiredTextOf(expression, parsed),
      find: wanted ? (text) => textSpans(text, wanted) : (text) => compiled.find(text),
      free: () => compiled.free(),
    };
  }

  private create(source: string): CompiledRegex {
    try {
      return this.instances.compile(source);
    } catch (error) {
      throw patternError(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Returns the places of a text, as the engine finds them. */
function textSpans(text: string | Buffer, wanted: Buffer): readonly ByteSpan[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const spans: ByteSpan[] = [];
  for (let at = bytes.indexOf(wanted); at !== -1; at = bytes.indexOf(wanted, at + wanted.length))
    spans.push([at, at + wanted.length]);
  return spans;
}

/** Returns the parsed form of an expression that is not too large; undefined for a plain text. */
function parsedOf(
  { pattern, regex }: LineExpression,
  compiled: CompiledRegex,
): ParsedExpression | undefined {
  const isSmall = (pattern.match(CLASSES)?.length ?? 0) <= MOST_CLASSES_PARSED;
  return regex && isSmall ? compiled.syntax() : undefined;
}

function literalOf(
  { pattern, regex, caseSensitive }: LineExpression,
  parsed: ParsedExpression | undefined,
): string | undefined {
  if (!caseSensitive) return undefined;
  if (!regex) return pattern;
  return parsed && requiredLiteral(parsed);
}

function requiredTextOf(
  { pattern, regex }: LineExpression,
  parsed: ParsedExpression | undefined,
): RequiredText {
  if (!regex) return requiredByText(pattern);
  return parsed ? requiredByExpression(parsed) : ANY_TEXT;
}

/** Reads the position and the problem from the message of the engine. */
function patternError(message: string): PatternError {
  if (/exceeds size limit/i.test(message))
    return new PatternError('is too large when compiled; use smaller counts and fewer classes');
  const lines = message.split('\n');
  const problem = /^error: (.*)$/m.exec(message)?.[1] ?? 'not a regular expression';
  const caret = lines.find((line) => /^ {4} *\^+ *$/.test(line));
  const isSlow = /look-around|backreference/.test(problem);
  const remedy = isSlow ? '; only linear-time syntax can be used' : '';
  return new PatternError(
    `must be a regular expression: ${problem}${remedy}`,
    caret === undefined ? undefined : caret.indexOf('^') - 4,
    /unclosed|unopened|repetition operator/.test(problem),
  );
}
