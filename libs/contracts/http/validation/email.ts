import { ApiProperty } from '@nestjs/swagger';

import { apply, rule } from './rule.js';
import { textProblem } from './text.js';

const MAX = 254;
const MAX_LOCAL = 64;

/** An address for mail as people write it: one `@`, no blanks, a domain of at least two labels. */
export function Email(): PropertyDecorator {
  return apply(
    rule(
      'email',
      (value) => textProblem(value, { max: MAX, kind: 'name' }) ?? emailProblem(value as string),
    ),
    ApiProperty({
      type: String,
      format: 'email',
      minLength: 3,
      maxLength: MAX,
      example: 'ada@example.com',
    }),
  );
}

/** Returns the problem of an address that is a fitting text, as the rest of a sentence, or null. */
export function emailProblem(text: string): string | null {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const labels = text.slice(at + 1).split('.');
  const fits = at > 0 && local.length <= MAX_LOCAL && !/[\s@<>()[\]\\,;:"]/.test(local);
  const hasDomain =
    labels.length > 1 &&
    labels.every((label) =>
      /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?$/u.test(label),
    );
  return fits && hasDomain ? null : 'must be an address such as ada@example.com';
}
