import { ApiProperty } from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import { ValidateNested } from 'class-validator';

import { apply, rule } from './rule.js';

/** One nested object of the given DTO class; an array or a scalar in its place is refused. */
export function Nested(type: () => new () => object): PropertyDecorator {
  return apply(
    rule('nested', (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? null : 'must be an object',
    ),
    TypeOf(type),
    ValidateNested(),
    // Swagger knows a lazy type by the function's name, which it has from this property.
    ApiProperty({ type: () => type() }),
  );
}
