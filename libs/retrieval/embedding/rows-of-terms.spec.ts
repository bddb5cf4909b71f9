import { describe, expect, it } from '@jest/globals';

import { RowsOfTerms, type RowTable } from './rows-of-terms.js';

/** Numbers terms in order of arrival and forgets them all at `most`. */
class ForgetfulTable implements RowTable {
  forgotten = 0;
  readonly asked: string[] = [];
  private readonly rows = new Map<string, number>();

  constructor(private readonly most: number) {}

  rowOf(term: string): number {
    this.asked.push(term);
    const known = this.rows.get(term);
    if (known !== undefined) return known;
    if (this.rows.size === this.most) {
      this.rows.clear();
      this.forgotten += 1;
    }
    this.rows.set(term, this.rows.size);
    return this.rows.size - 1;
  }
}

describe('rows of terms', () => {
  it('are asked for once a term, of a list that grows', () => {
    const table = new ForgetfulTable(10_000);
    const terms = ['a', 'b'];
    const rows = new RowsOfTerms(table, terms);
    expect([rows.at(1), rows.at(0), rows.at(1)]).toEqual([0, 1, 0]);
    for (let at = 2; at < 1_000; at++) terms.push(`t${at}`);
    expect([rows.at(999), rows.at(999), rows.at(300)]).toEqual([2, 2, 3]);
    expect(table.asked).toEqual(['b', 'a', 't999', 't300']);
  });

  it('are those that the table has now, also after others were forgotten', () => {
    const table = new ForgetfulTable(3);
    const terms = ['a', 'b', 'c', 'd', 'e'];
    const rows = new RowsOfTerms(table, terms);
    expect([0, 1, 2, 3].map((place) => rows.at(place))).toEqual([0, 1, 2, 0]);
    expect([rows.at(0), rows.at(3)]).toEqual([1, 0]);
    for (const other of ['x', 'y', 'z']) table.rowOf(other);
    expect(rows.at(3)).toBe(table.rowOf('d'));
  });
});
