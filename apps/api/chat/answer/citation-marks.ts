/** Longest mark that is waited for: `[1, 2, 3, …]`. */
const LONGEST_MARK = 60;
const MARK = /^\[\s*\d+(?:\s*,\s*\d+)*\s*\]$/;
const MARK_BEGINS = /^\[[\d\s,]*$/;

/**
 * Checks the citation marks of an answer while it streams. It removes numbers that refer to no
 * evidence, and a mark without any number left. In code, between backticks, brackets are code and
 * stay. Text that may become a mark is held back until that is decided; nothing else is, and
 * nothing changes its order.
 */
export class CitationMarks {
  /** Numbers that were cited so far. */
  readonly cited = new Set<number>();
  /** Backticks that opened the code that the text is in; 0 outside. */
  private fence = 0;
  /** Backticks in a row up to here. */
  private run = 0;
  private held = '';

  /** @param evidence the highest valid number: 1 to this one refer to evidence */
  constructor(private readonly evidence: number) {}

  /** @returns what of the text, and of what was held back, can be shown now */
  push(text: string): string {
    let shown = '';
    for (const character of text) shown += this.next(character);
    return shown;
  }

  /** @returns what was still held back when the answer ended */
  end(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }

  private next(character: string): string {
    if (this.held !== '') return this.continueMark(character);
    if (character === '`') {
      this.run += 1;
      return character;
    }
    this.endRun(character);
    if (character !== '[' || this.fence > 0) return character;
    this.held = character;
    return '';
  }

  private continueMark(character: string): string {
    const mark = this.held + character;
    if (MARK_BEGINS.test(mark) && mark.length <= LONGEST_MARK) {
      this.held = mark;
      return '';
    }
    this.held = '';
    if (MARK.test(mark)) return this.checked(mark);
    // No mark after all; what ended it may begin another, or code.
    return mark.slice(0, -1) + this.next(character);
  }

  private checked(mark: string): string {
    const numbers = [...mark.matchAll(/\d+/g)].map(([number]) => Number(number));
    const known = numbers.filter((number) => number >= 1 && number <= this.evidence);
    for (const number of known) this.cited.add(number);
    return known.length === 0 ? '' : `[${known.join(', ')}]`;
  }

  /**
   * A run of backticks opens code, and as many close it. One or two of them do not reach over the
   * end of a line.
   */
  private endRun(character: string): void {
    const { run } = this;
    this.run = 0;
    if (run > 0) {
      if (this.fence === 0) this.fence = run;
      else if (run === this.fence || (this.fence >= 3 && run > this.fence)) this.fence = 0;
    }
    if (character === '\n' && this.fence > 0 && this.fence < 3) this.fence = 0;
  }
}
