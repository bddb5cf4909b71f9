import { lookupNumber } from '../tables/define-table.js';

/**
 * Returns the SQL of a table of values with their lookup numbers (`value`, `number`); the tenant is
 * `$1`. The offset keeps it apart: row-level security otherwise hides the numbers from the index.
 *
 * @param values SQL of an array of texts.
 */
export function numbered(values: string): string {
  return `(select value, ${lookupNumber('$1::text', 'value')} as number
             from unnest(${values}::text[]) as given(value) offset 0)`;
}
