import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';

import { apply, rule } from './rule.js';

/** A whole number from `min` to `max`; in JSON a number, never a string. */
export function WholeNumber(min: number, max: number): PropertyDecorator {
  return apply(
    rule('wholeNumber', (value) => {
      if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be a whole number';
      return rangeProblem(value, min, max);
    }),
    ApiProperty({ type: 'integer', minimum: min, maximum: max }),
  );
}

/** 0, or a whole number from `min` to `max`; in JSON a number, never a string. */
export function WholeNumberOrZero(min: number, max: number): PropertyDecorator {
  return apply(
    rule('wholeNumberOrZero', (value) => {
      if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be a whole number';
      if (value === 0) return null;
      if (value < min) return `must be 0 or not be less than ${min}`;
      return rangeProblem(value, min, max);
    }),
    ApiProperty({
      type: 'integer',
      oneOf: [
        { type: 'integer', enum: [0] },
        { type: 'integer', minimum: min, maximum: max },
      ],
    }),
  );
}

/** A number from `min` to `max`. */
export function Decimal(min: number, max: number): PropertyDecorator {
  return apply(
    rule('decimal', (value) => {
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
      return rangeProblem(value, min, max);
    }),
    ApiProperty({ type: Number, minimum: min, maximum: max }),
  );
}

/** True or false; in JSON a boolean, never a string or number. */
export function Flag(): PropertyDecorator {
  return apply(
    rule('flag', (value) => (typeof value === 'boolean' ? null : 'must be true or false')),
    ApiProperty({ type: Boolean }),
  );
}

/** The same in a query string: decimal digits only, no spaces, signs, exponents or other bases. */
export function QueryWholeNumber(min: number, max: number): PropertyDecorator {
  return apply(fromQuery(/^-?\d{1,300}$/, Number), WholeNumber(min, max));
}

/** The same in a query string: the words `true` and `false` only. */
export function QueryFlag(): PropertyDecorator {
  return apply(
    fromQuery(/^(true|false)$/, (text) => text === 'true'),
    Flag(),
  );
}

function fromQuery(pattern: RegExp, read: (text: string) => unknown): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && pattern.test(value) ? read(value) : value,
  );
}

function rangeProblem(value: number, min: number, max: number): string | null {
  if (value < min) return `must not be less than ${min}`;
  if (value > max) return `must not be greater than ${max}`;
  return null;
}
