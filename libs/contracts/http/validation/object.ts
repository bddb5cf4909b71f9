import { ApiProperty } from '@nestjs/swagger';
import { Type as TypeOf } from 'class-transformer';
import { ValidateNested } from 'class-validator';

import { apply, rule } from './rule.js';

/** One nested object of the given DTO class; an array or a scalar in its place is refused. */
export function Nested(type: () => new () => object): PropertyDecorator {
  return apply(
    rule('nested', (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? null
        : 'must be an object',
    ),
    TypeOf(type),
    ValidateNested(),
    // Swagger knows a lazy type by the function's name, which it has from this property.
    ApiProperty({ type: () => type() }),
  );
}

/** An array of nested objects of the given DTO class. */
export function NestedList(type: () => new () => object, maxItems: number): PropertyDecorator {
  return apply(
    rule('nestedList', (value) => {
      if (!Array.isArray(value)) return 'must be an array';
      if (value.length > maxItems) return `must have at most ${maxItems} items`;
      // `ValidateNested` rejects every other item that is no object, but it would descend into a
      // nested list.
      return value.some(Array.isArray) ? 'must have objects as its items' : null;
    }),
    TypeOf(type),
    ValidateNested({ each: true }),
    ApiProperty({ type: () => type(), isArray: true, maxItems }),
  );
}
