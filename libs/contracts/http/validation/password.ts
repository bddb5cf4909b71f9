import { ApiProperty } from '@nestjs/swagger';

import { isStorable } from './clean-text.js';
import { apply, rule } from './rule.js';

export const MIN_PASSWORD = 12;
export const MAX_PASSWORD = 128;

/** A password to be: long enough, whatever characters it has. */
export function NewPassword(): PropertyDecorator {
  return apply(
    rule('newPassword', (value) => passwordProblem(value, MIN_PASSWORD)),
    ApiProperty({
      type: String,
      format: 'password',
      minLength: MIN_PASSWORD,
      maxLength: MAX_PASSWORD,
    }),
  );
}

/** A password that may be right. */
export function GivenPassword(): PropertyDecorator {
  return apply(
    rule('givenPassword', (value) => passwordProblem(value, 1)),
    ApiProperty({ type: String, format: 'password', minLength: 1, maxLength: MAX_PASSWORD }),
  );
}

function passwordProblem(value: unknown, min: number): string | null {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > 4 * MAX_PASSWORD) return `must have at most ${MAX_PASSWORD} characters`;
  if (!isStorable(value)) return 'must not contain NUL or lone surrogates';
  const length = Array.from(value.normalize('NFKC')).length;
  if (length < min) return `must have at least ${min} characters`;
  return length > MAX_PASSWORD ? `must have at most ${MAX_PASSWORD} characters` : null;
}
