import type { MatchedLine } from '#code-search';
import { matchTexts } from '#contracts/content/match-texts';
import { TimeSlices } from '#platform';

/** Fits the lines of an answer into a number of tokens, counted in their text form. */
export class LineBudget {
  private readonly slices = new TimeSlices();
  private used = 0;

  constructor(
    private readonly maxTokens: number,
    private readonly countTokens: (text: string) => number,
  ) {}

  /** Tokens of the lines so far. */
  get tokens(): number {
    return this.used;
  }

  /** Reports whether the path of a document fits that is listed without lines. */
  fitsPath(path: string): boolean {
    const isFirst = this.used === 0;
    return this.add(this.countTokens(`${path}\n`)) || isFirst;
  }

  /**
   * Returns the first lines of a file that fit. The first line of an answer always fits: it is cut
   * and loses the lines around it if it must.
   */
  async fit(path: string, lines: readonly MatchedLine[]): Promise<readonly MatchedLine[]> {
    const fitting: MatchedLine[] = [];
    for (const line of lines) {
      if (this.slices.isUsedUp) await this.slices.pause();
      const isFirst = this.used === 0;
      if (this.add(this.tokensOf(path, line))) fitting.push(line);
      else if (isFirst) fitting.push(this.cut(path, line));
      if (fitting.at(-1)?.number !== line.number) break;
    }
    return fitting;
  }

  private cut(path: string, whole: MatchedLine): MatchedLine {
    let line: MatchedLine = { ...whole, before: [], after: [] };
    while (line.text !== '' && this.tokensOf(path, line) > this.maxTokens) {
      const text = line.text.slice(0, line.text.length / 2).replace(/[\ud800-\udbff]$/, '');
      line = { ...line, text, clipped: true };
    }
    this.used = this.maxTokens;
    return line;
  }

  private tokensOf(path: string, line: MatchedLine): number {
    return matchTexts(path, line).reduce((sum, text) => sum + this.countTokens(`${text}\n`), 0);
  }

  private add(tokens: number): boolean {
    if (this.used + tokens > this.maxTokens) return false;
    this.used += tokens;
    return true;
  }
}
