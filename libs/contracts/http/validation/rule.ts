import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateBy, ValidateIf } from 'class-validator';

/**
 * A property decorator that refuses values for which `problem` gives a sentence part, such as "must
 * be true or false".
 */
export function rule(
  name: string,
  problem: (value: unknown, field: string) => string | null,
): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value, args) => problem(value, args?.property ?? '') === null,
      defaultMessage: (args) => problem(args?.value, args?.property ?? '') ?? 'is not valid',
    },
  });
}

/**
 * The field may be left out. Null is not leaving out: it goes on to the other rules, which refuse
 * it.
 */
export function Optional(): PropertyDecorator {
  return apply(
    ValidateIf((_, value) => value !== undefined),
    ApiPropertyOptional(),
  );
}

/** The field may be left out, and null takes away what it was. */
export function Clearable(): PropertyDecorator {
  return apply(
    ValidateIf((_, value) => value !== undefined && value !== null),
    ApiPropertyOptional({ nullable: true }),
  );
}

export function apply(...decorators: readonly PropertyDecorator[]): PropertyDecorator {
  return (target, property) => {
    for (const decorator of decorators) decorator(target, property);
  };
}
