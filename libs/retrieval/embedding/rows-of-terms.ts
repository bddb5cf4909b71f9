/** Embeds the weighted terms of a text, given by their places in a list. */
export type TermEmbedder = (
  places: readonly number[],
  frequencies: ArrayLike<number>,
) => Float32Array;

/**
 * Assigns rows to terms, and may forget all of them to stay small: their rows then belong to
 * others.
 */
export interface RowTable {
  /** Returns the row of a term. @returns −1 for a term without a row */
  rowOf(term: string): number;
  /** Number of times that rows were forgotten. */
  readonly forgotten: number;
}

const NOT_ASKED = -2;

/** Rows of the terms in a list, each looked up once as long as the table forgets nothing. */
export class RowsOfTerms {
  private rows = new Int32Array(256).fill(NOT_ASKED);
  private forgotten = 0;

  /** Starts without rows. @param terms more may be added at their end */
  constructor(
    private readonly table: RowTable,
    private readonly terms: readonly string[],
  ) {
    this.forgotten = table.forgotten;
  }

  /** Returns the row of the term at a place of the list; valid until the next call. */
  at(place: number): number {
    if (this.table.forgotten !== this.forgotten) this.forget();
    const known = place < this.rows.length ? (this.rows[place] as number) : NOT_ASKED;
    return known === NOT_ASKED ? this.ask(place) : known;
  }

  private ask(place: number): number {
    const row = this.table.rowOf(this.terms[place] as string);
    if (this.table.forgotten !== this.forgotten) this.forget();
    if (place >= this.rows.length) {
      const room = new Int32Array(Math.max(place + 1, 2 * this.rows.length)).fill(NOT_ASKED);
      room.set(this.rows);
      this.rows = room;
    }
    this.rows[place] = row;
    return row;
  }

  private forget(): void {
    this.rows.fill(NOT_ASKED);
    this.forgotten = this.table.forgotten;
  }
}
