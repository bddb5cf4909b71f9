import { ApiProperty } from '@nestjs/swagger';

import { instant } from '../../fields.js';
import { apply, rule } from './rule.js';

const TIMESTAMP = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,3})?(Z|[+-]\d{2}:\d{2})$/;

/**
 * Accepts an ISO 8601 instant with a time zone that names a real day and that an event can hold. An
 * instant west of Greenwich in the last hours of the year 9999 lies in the year 10000, which no
 * event takes.
 */
export function Timestamp(): PropertyDecorator {
  return apply(
    rule('timestamp', (value) =>
      typeof value === 'string' && isInstant(value)
        ? null
        : 'must be a timestamp such as 2026-01-17T10:00:00.000Z',
    ),
    ApiProperty({ type: String, format: 'date-time' }),
  );
}

function isInstant(text: string): boolean {
  const day = TIMESTAMP.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return false;
  const midnight = new Date(`${day}T00:00:00.000Z`);
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return false;
  return instant.safeParse(new Date(text).toISOString()).success;
}
