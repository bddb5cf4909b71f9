/** A text of a list and its place there. */
export interface PlacedText {
  readonly index: number;
  readonly text: string;
}

/** Texts that nobody has asked for yet, taken from the front as each request comes to its turn. */
export class TextQueue {
  private next = 0;

  /**
   * @param characters UTF-16 units in one request, at most; a longer text is a request of its own.
   */
  constructor(
    private readonly texts: readonly string[],
    private readonly characters: number,
  ) {}

  get isEmpty(): boolean {
    return this.next >= this.texts.length;
  }

  /** @param count at most so many. @returns none when nothing is left. */
  take(count: number): readonly PlacedText[] {
    const taken: PlacedText[] = [];
    let size = 0;
    while (!this.isEmpty && taken.length < count) {
      const text = this.texts[this.next] as string;
      if (taken.length > 0 && size + text.length > this.characters) break;
      taken.push({ index: this.next, text });
      size += text.length;
      this.next += 1;
    }
    return taken;
  }
}
