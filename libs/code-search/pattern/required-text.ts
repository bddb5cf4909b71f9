import {
  allOf,
  ANY_TEXT,
  foldText,
  oneOf,
  type RequiredText,
} from '#contracts/content/required-text';

import {
  type ParsedClass,
  type ParsedExpression,
  type ParsedRepetition,
  textOf,
} from './parsed-expression.js';

/** A text without a trigram excludes no document. */
const LEAST_CHARACTERS = 3;
/** Alternatives that are kept apart, and the length of each. */
const MOST_ALTERNATIVES = 16;
const MOST_LENGTH = 200;
/** Maximum number of parts of an expression that are looked at. */
const MOST_PARTS = 2_000;

/** The texts that a part matches: exactly a few folded ones, or all that meet a condition. */
type Matched =
  | { readonly kind: 'exact'; readonly texts: readonly string[] }
  | { readonly kind: 'condition'; readonly required: RequiredText };

const UNKNOWN: Matched = { kind: 'condition', required: ANY_TEXT };
const NOTHING: Matched = { kind: 'exact', texts: [''] };

/** Returns the condition that a document meets if it contains a text. */
export function requiredByText(text: string): RequiredText {
  return conditionOf([foldText(text)]);
}

/** Returns the condition that each text with a match of an expression meets. */
export function requiredByExpression(expression: ParsedExpression): RequiredText {
  let parts = 0;
  const read = ({ kind }: ParsedExpression): Matched => {
    parts += 1;
    if (parts > MOST_PARTS) return UNKNOWN;
    const [value] = kind['@values'] ?? [];
    switch (kind['@variant']) {
      case 'Empty':
      case 'Look':
        return NOTHING;
      case 'Literal': {
        const text = textOf(value);
        return text === '' ? UNKNOWN : exact([foldText(text)]);
      }
      case 'Class':
        return ofClass(value as ParsedClass);
      case 'Capture':
        return read((value as { readonly sub: ParsedExpression }).sub);
      case 'Repetition':
        return repeated(value as ParsedRepetition, read);
      case 'Concat':
        return inSequence((value as readonly ParsedExpression[]).map(read));
      case 'Alternation':
        return alternatives((value as readonly ParsedExpression[]).map(read));
      default:
        return UNKNOWN;
    }
  };
  return asCondition(read(expression));
}

/** Returns the texts, or their condition if there are too many or too long ones. */
function exact(texts: readonly string[]): Matched {
  const distinct = [...new Set(texts)];
  const isSmall = distinct.every(({ length }) => length <= MOST_LENGTH);
  if (isSmall && distinct.length <= MOST_ALTERNATIVES) return { kind: 'exact', texts: distinct };
  return { kind: 'condition', required: conditionOf(distinct) };
}

function conditionOf(texts: readonly string[]): RequiredText {
  return oneOf(texts.map((text) => (isTooShort(text) ? ANY_TEXT : { kind: 'text', text })));
}

/** Reports whether a text excludes nothing. Trigrams do not cover the blank lines of a file. */
function isTooShort(text: string): boolean {
  return text.length < LEAST_CHARACTERS || text.trim() === '';
}

function asCondition(matched: Matched): RequiredText {
  return matched.kind === 'exact' ? conditionOf(matched.texts) : matched.required;
}

/** Reads a class of few characters, such as a letter in both cases. */
function ofClass({ '@values': [characters] }: ParsedClass): Matched {
  const texts: string[] = [];
  for (const { start, end } of characters?.ranges ?? []) {
    if (typeof start !== 'string' || typeof end !== 'string') return UNKNOWN;
    const [first = 0, last = 0] = [start.codePointAt(0), end.codePointAt(0)];
    if (last - first + texts.length >= MOST_ALTERNATIVES) return UNKNOWN;
    for (let code = first; code <= last; code += 1) texts.push(String.fromCodePoint(code));
  }
  return texts.length === 0 ? UNKNOWN : exact(texts.map(foldText));
}

function repeated(
  { min, max, sub }: ParsedRepetition,
  read: (part: ParsedExpression) => Matched,
): Matched {
  const once = read(sub);
  if (min === 0) return max === 1 ? alternatives([NOTHING, once]) : UNKNOWN;
  if (min === 1 && max === 1) return once;
  return { kind: 'condition', required: asCondition(once) };
}

/** Joins neighbors as long as their texts are few, so that a text may span several parts. */
function inSequence(parts: readonly Matched[]): Matched {
  const conditions: RequiredText[] = [];
  let run: readonly string[] = [''];
  for (const part of parts) {
    const joined = part.kind === 'exact' ? exact(products(run, part.texts)) : part;
    if (joined.kind === 'exact') {
      run = joined.texts;
      continue;
    }
    conditions.push(conditionOf(run));
    if (part.kind === 'exact') run = part.texts;
    else {
      conditions.push(part.required);
      run = [''];
    }
  }
  if (conditions.length === 0) return { kind: 'exact', texts: run };
  return { kind: 'condition', required: allOf([...conditions, conditionOf(run)]) };
}

function products(before: readonly string[], after: readonly string[]): readonly string[] {
  return before.flatMap((first) => after.map((second) => first + second));
}

function alternatives(parts: readonly Matched[]): Matched {
  if (parts.every((part) => part.kind === 'exact'))
    return exact(parts.flatMap(({ texts }) => texts));
  return { kind: 'condition', required: oneOf(parts.map(asCondition)) };
}
