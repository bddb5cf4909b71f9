import { type ParsedExpression, textOf } from './parsed-expression.js';

/** Shorter literals are in nearly every text. */
const LEAST_CHARACTERS = 2;
/** Maximum number of parts of an expression that are looked at. */
const MOST_PARTS = 2_000;

/**
 * Returns the longest text that each match of an expression contains; undefined if there is none or
 * the expression is too large to find it.
 */
export function requiredLiteral(expression: ParsedExpression): string | undefined {
  let parts = 0;
  const longest = ({ kind }: ParsedExpression): string => {
    parts += 1;
    if (parts > MOST_PARTS) return '';
    const [value] = kind['@values'] ?? [];
    switch (kind['@variant']) {
      case 'Literal':
        return textOf(value);
      case 'Concat':
        return (value as readonly ParsedExpression[])
          .map(longest)
          .reduce((best, text) => (text.length > best.length ? text : best), '');
      case 'Capture':
        return longest((value as { readonly sub: ParsedExpression }).sub);
      case 'Repetition': {
        const { min, sub } = value as { readonly min: number; readonly sub: ParsedExpression };
        return min > 0 ? longest(sub) : '';
      }
      default:
        return '';
    }
  };
  const found = longest(expression);
  return found.length >= LEAST_CHARACTERS ? found : undefined;
}
