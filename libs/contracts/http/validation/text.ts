import { ApiProperty } from '@nestjs/swagger';

import { isBlank, isPlainName, isStorable } from './clean-text.js';
import { apply, rule } from './rule.js';

export interface TextOptions {
  /** Longest text in characters: Unicode code points, as `maxLength` counts in JSON Schema. */
  readonly max: number;
  /** `name` refuses control and direction-changing characters as well. @default 'text' */
  readonly kind?: 'text' | 'name';
}

/** A string of 1 to `max` characters that is not blank. */
export function Text(options: TextOptions): PropertyDecorator {
  return apply(
    rule('text', (value) => textProblem(value, options)),
    ApiProperty({ type: String, minLength: 1, maxLength: options.max }),
  );
}

/** One of a fixed set of words. */
export function Choice(...choices: readonly string[]): PropertyDecorator {
  return apply(
    rule('choice', (value) =>
      typeof value === 'string' && choices.includes(value)
        ? null
        : `must be one of ${choices.join(', ')}`,
    ),
    ApiProperty({ type: String, enum: [...choices] }),
  );
}

/** Returns the problem of a text, as the rest of a sentence, or null. */
export function textProblem(value: unknown, { max, kind = 'text' }: TextOptions): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (isLongerThan(value, max)) return `must have at most ${max} characters`;
  if (!isStorable(value)) return 'must not contain NUL or lone surrogates';
  if (isBlank(value)) return 'must not be blank';
  if (kind === 'name' && !isPlainName(value))
    return 'must not contain control or direction-changing characters';
  return null;
}

function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || Array.from(text).length > max;
}
