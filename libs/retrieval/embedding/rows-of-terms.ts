/** Embeds the weighted terms of a text, which are told by their places in a list. */
export type TermEmbedder = (
  places: readonly number[],
  frequencies: ArrayLike<number>,
) => Float32Array;

/** Gives terms rows, and may forget them all to stay small: their rows then stand for others. */
export interface RowTable {
  /** @returns −1 for a term that has none */
  rowOf(term: string): number;
  /** How often rows were forgotten. */
  readonly forgotten: number;
}

const NOT_ASKED = -2;

/** The rows of the terms in a list, each asked for once as long as its table forgets nothing. */
export class RowsOfTerms {
  private rows = new Int32Array(256).fill(NOT_ASKED);
  private forgotten = 0;

  /** @param terms may get more at their end */
  constructor(
    private readonly table: RowTable,
    private readonly terms: readonly string[],
  ) {
    this.forgotten = table.forgotten;
  }

  /** The row of the term at a place of the list; good until the next one is asked for. */
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
