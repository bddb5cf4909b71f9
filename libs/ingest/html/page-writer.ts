import type { Mark, PageHeading } from '../parse/parsed-document.js';

/**
 * Containers within one another that the text shows; deeper ones are written as the last of these.
 */
const MOST_CONTAINERS = 8;
/** Deepest level of a heading in Markdown. */
const DEEPEST = 6;
const MAX_TITLE = 120;
const MAX_FRAGMENT = 512;

interface Container {
  /** Before the first line: `- `. */
  readonly marker: string;
  /** Before every other: as wide. */
  readonly indent: string;
  begun: boolean;
}

interface Section {
  readonly level: number;
  readonly fragment: string | null;
}

/** Collects the lines of a page with its headings and the places that a link can lead to. */
export class PageWriter {
  private readonly lines: string[] = [];
  private readonly marks: Mark[] = [];
  private readonly headings: PageHeading[] = [];
  private readonly containers: Container[] = [];
  /** Headings in force, outermost first. */
  private readonly sections: Section[] = [];
  /** Whether the next block follows right below the line before. */
  private tight = false;
  /** Level from which on sections have ended; applied when text follows that is in none of them. */
  private endedLevel: number | undefined;
  private waitingPlace: string | undefined;

  /** Level of the heading in force; 0 before the first. */
  get level(): number {
    const ended = this.endedLevel ?? Infinity;
    return this.sections.findLast(({ level }) => level < ended)?.level ?? 0;
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  /** Writes a heading. A heading without its own place uses the place of the section around it. */
  heading(level: number, text: string, title: string, id: string | undefined): void {
    while ((this.sections.at(-1)?.level ?? 0) >= level) this.sections.pop();
    const fragment = fragmentOf(id) ?? this.sections.at(-1)?.fragment ?? null;
    this.sections.push({ level, fragment });
    this.endedLevel = undefined;
    this.waitingPlace = undefined;
    this.separate();
    this.headings.push({
      row: this.lines.length,
      level,
      title: title.slice(0, MAX_TITLE).toWellFormed(),
    });
    this.mark(fragment);
    this.push([`${'#'.repeat(Math.min(level, DEEPEST))} ${text}`]);
    this.tight = false;
  }

  /** Marks a place within a section, which links to the next block. */
  place(id: string): void {
    this.waitingPlace = fragmentOf(id);
  }

  /** Ends the sections of this level and deeper: the text that follows is in none of them. */
  endSections(level: number): void {
    if (this.level >= level) this.endedLevel = level;
  }

  /** Writes the lines of one block. */
  block(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.separate();
    const { endedLevel } = this;
    if (endedLevel !== undefined) {
      while ((this.sections.at(-1)?.level ?? 0) >= endedLevel) this.sections.pop();
      this.headings.push({ row: this.lines.length, level: endedLevel, title: null });
      this.mark(this.sections.at(-1)?.fragment ?? null);
      this.endedLevel = undefined;
    }
    if (this.waitingPlace !== undefined) this.mark(this.waitingPlace);
    this.waitingPlace = undefined;
    this.push(lines);
    this.tight = this.containers.length > 0;
  }

  /** Separates the next block from the one before, also in a list. */
  gap(): void {
    this.tight = false;
  }

  /**
   * Begins or ends a list. A nested list continues right below its item; any other list is
   * separated.
   */
  listEdge(): void {
    if (this.containers.length === 0) this.tight = false;
  }

  enter(marker: string, indent: string): void {
    this.containers.push({ marker, indent, begun: false });
  }

  leave(): void {
    this.containers.pop();
  }

  finish(): {
    readonly text: string;
    readonly marks: readonly Mark[];
    readonly headings: readonly PageHeading[];
  } {
    const text = this.lines.length === 0 ? '' : `${this.lines.join('\n')}\n`;
    return { text: text.toWellFormed(), marks: this.marks, headings: this.headings };
  }

  private separate(): void {
    if (!this.tight && this.lines.length > 0) this.lines.push('');
  }

  private push(lines: readonly string[]): void {
    const shown = this.containers.slice(0, MOST_CONTAINERS);
    for (const line of lines) {
      let prefix = '';
      for (const container of shown) {
        prefix += container.begun ? container.indent : container.marker;
        container.begun = true;
      }
      this.lines.push(line === '' ? prefix.trimEnd() : prefix + line);
    }
  }

  private mark(fragment: string | null): void {
    if ((this.marks.at(-1)?.fragment ?? null) === fragment) return;
    this.marks.push({ row: this.lines.length, fragment });
  }
}

/**
 * Returns the end of a URL that leads to the element with an id; undefined if there is no such URL.
 */
function fragmentOf(id: string | undefined): string | undefined {
  if (id === undefined || id.trim() === '') return undefined;
  const fragment = new URL(`#${id}`, 'http://page/').hash;
  return fragment.length > 1 && fragment.length <= MAX_FRAGMENT ? fragment : undefined;
}
