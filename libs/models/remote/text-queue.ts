/** A text of a list with its index. */
export interface PlacedText {
  readonly index: number;
  readonly text: string;
}

/** Texts that are not requested yet, taken from the front when a request gets its turn. */
export class TextQueue {
  private next = 0;

  /**
   * @param characters maximum UTF-16 units in one request; a longer text is a request of its own.
   */
  constructor(
    private readonly texts: readonly string[],
    private readonly characters: number,
  ) {}

  get isEmpty(): boolean {
    return this.next >= this.texts.length;
  }

  /**
   * @param count maximum.
   * @returns an empty list if nothing is left.
   */
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
