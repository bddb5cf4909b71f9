import { type HtmlElement, isElement } from './html-tree.js';
import type { MainContent } from './main-content.js';

const CODE: ReadonlySet<string> = new Set(['code', 'kbd', 'samp', 'tt']);

/** Collects the text of a line: white space collapsed, breaks kept, code between backticks. */
export class InlineText {
  private parts: string[] = [];

  get isEmpty(): boolean {
    return this.parts.every((part) => part.trim() === '' || part === '`');
  }

  text(text: string): void {
    this.parts.push(text.replace(/[ \t\r\n\f]+/g, ' '));
  }

  /** Appends the mark that stands on either side of code. */
  code(): void {
    this.parts.push('`');
  }

  lineBreak(): void {
    this.parts.push('\n');
  }

  /** Returns the collected text, one string a line, and empties the collection. */
  take(): string[] {
    const text = this.parts.join('').replace(/`( *)`/g, '$1');
    this.parts = [];
    return text
      .split('\n')
      .map((line) => line.replace(/[ \u00a0]+/g, ' ').trim())
      .filter((line) => line !== '');
  }
}

/** Returns the text of an element in one line, as in a cell of a table. */
export function textOfElement(content: MainContent, at: number): string {
  const element = content.nodes[at] as HtmlElement;
  const text = new InlineText();
  let codeUntil = 0;
  for (let place = at + 1; place < element.end; place += 1) {
    if (place === codeUntil) text.code();
    const node = content.nodes[place];
    if (!isElement(node)) text.text(node ?? '');
    else if (content.isLeftOut(place)) place = node.end - 1;
    else if (CODE.has(node.name) && place >= codeUntil && node.end > place + 1) {
      text.code();
      codeUntil = node.end;
    } else if (node.name === 'img') text.text(` ${node.attributes['alt'] ?? ''} `);
    else if (node.name === 'br' || !INLINE.has(node.name)) text.text(' ');
  }
  if (codeUntil === element.end) text.code();
  return text.take().join(' ');
}

/** Elements that do not separate words. */
export const INLINE: ReadonlySet<string> = new Set(
  `a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span
  strike strong sub sup time tt u var wbr img br picture source nobr`
    .split(/\s+/)
    .filter(Boolean),
);

export function isCode(name: string): boolean {
  return CODE.has(name);
}
