import type { Mark, PageHeading } from '../parse/parsed-document.js';

/**
 * Containers within one another that show in the text; deeper ones are written as if they were the
 * last of these.
 */
const MOST_CONTAINERS = 8;
/** Of a heading in Markdown. */
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

/** Collects the lines of a page with its headings and the places that a reader can be sent to. */
export class PageWriter {
  private readonly lines: string[] = [];
  private readonly marks: Mark[] = [];
  private readonly headings: PageHeading[] = [];
  private readonly containers: Container[] = [];
  /** Headings that are in force, outermost first. */
  private readonly sections: Section[] = [];
  /** The next block stands right below the line before. */
  private tight = false;
  /** Sections from this level on have ended; it shows when text follows that is in none of them. */
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

  /** A heading. Without a place of its own it is found at that of the section around it. */
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

  /** A place within a section: the next block is found there. */
  place(id: string): void {
    this.waitingPlace = fragmentOf(id);
  }

  /** What follows is in no section of this level or deeper. */
  endSections(level: number): void {
    if (this.level >= level) this.endedLevel = level;
  }

  /** Lines of one block. */
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

  /** The next block is not joined to the one before, in a list neither. */
  gap(): void {
    this.tight = false;
  }

  /** A list within another goes on right below its item; one on its own stands apart. */
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

/** The end of a URL that leads to the element of an id; undefined where none does. */
function fragmentOf(id: string | undefined): string | undefined {
  if (id === undefined || id.trim() === '') return undefined;
  const fragment = new URL(`#${id}`, 'http://page/').hash;
  return fragment.length > 1 && fragment.length <= MAX_FRAGMENT ? fragment : undefined;
}
