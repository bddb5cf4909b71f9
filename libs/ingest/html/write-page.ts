import { codeBlock } from './code-block.js';
import { type HtmlElement, type HtmlNode, isElement, nextPlaces } from './html-tree.js';
import { INLINE, InlineText, isCode, textOfElement } from './inline-text.js';
import type { MainContent } from './main-content.js';
import { isNamedNoise, isRemark, isSign, withoutSign } from './noise.js';
import { PageWriter } from './page-writer.js';
import { isDataTable, tableBlocks } from './table-block.js';

const HEADING = /^h([1-6])$/;

/** Separates a page's own title from the name of its site. */
const SITE_NAME = / [|—·] /;
const SIGN_NODES = 8;
/** Most nested sections; deeper definitions count as siblings of the last. */
const MOST_LEVELS = 12;

/** An open element, with the action at its end. */
interface Open {
  readonly end: number;
  close(): void;
}

/**
 * Writes the content of a page as Markdown with headings, code and tables. Iterative: depth costs
 * nothing.
 */
export class PageWalk {
  private readonly writer = new PageWriter();
  private readonly inline = new InlineText();
  private readonly open: Open[] = [];
  /** Numbers of the items of the surrounding lists; null for a list without numbers. */
  private readonly lists: (number | null)[] = [];
  /** Levels at which the surrounding definition lists name their definitions. */
  private readonly definitions: number[] = [];
  /**
   * Id of the last opened element, before any text in it: a heading that follows gets it as its
   * place.
   */
  private waitingId: string | undefined;
  private heading:
    { readonly level: number; readonly definition: boolean; id: string | undefined } | undefined;
  private codeDepth = 0;
  /** 1 below the title of the page. */
  private levelsAbove = 0;
  /** Next place at or after each place whose element has its own id; built on first use. */
  private nextIds: Int32Array | undefined;

  constructor(private readonly content: MainContent) {}

  /**
   * Writes the page. @param title title of the page, for content without a heading of the first
   * level.
   */
  write(title: string): ReturnType<PageWriter['finish']> {
    const { nodes, first, end } = this.content;
    if (this.needsTitle(title)) {
      const [own = title] = title.split(SITE_NAME);
      this.writer.heading(1, own, own, undefined);
      this.levelsAbove = 1;
    }
    for (let at = first; at < end; at += 1) {
      this.closeUpTo(at);
      const node = nodes[at];
      if (!isElement(node)) {
        this.text(node ?? '');
        continue;
      }
      if (this.content.isLeftOut(at)) {
        if (this.heading) this.heading.id ??= linkedId(node);
        at = node.end - 1;
      } else if (this.isWhole(at, node)) at = node.end - 1;
    }
    this.closeUpTo(end);
    this.flush();
    return this.writer.finish();
  }

  /**
   * Returns whether the content's own headings leave its topic open: none or several are of the
   * first level.
   */
  private needsTitle(title: string): boolean {
    const { nodes, first, end } = this.content;
    let top = 0;
    let opening: string | undefined;
    for (let at = first; at < end; at += 1) {
      const node = nodes[at];
      if (!isElement(node) || !HEADING.test(node.name)) continue;
      if (this.content.isLeftOut(at)) continue;
      opening ??= withoutSign(textOfElement(this.content, at).replaceAll('`', ''));
      if (node.name === 'h1') top += 1;
    }
    return (
      title !== '' &&
      top !== 1 &&
      !(opening !== undefined && opening !== '' && title.includes(opening))
    );
  }

  private closeUpTo(at: number): void {
    for (
      let last = this.open.at(-1);
      last !== undefined && last.end <= at;
      last = this.open.at(-1)
    ) {
      this.open.pop();
      last.close();
    }
  }

  private text(text: string): void {
    this.inline.text(text);
    if (text.trim() !== '' && this.heading === undefined) this.waitingId = undefined;
  }

  /** Opens an element. @returns whether all of its content is written. */
  private isWhole(at: number, element: HtmlElement): boolean {
    const { name, attributes } = element;
    const id = attributes['id'] ?? (name === 'a' ? attributes['name'] : undefined);
    if (id !== undefined && id !== '') {
      if (this.heading) this.heading.id ??= id;
      else if (at > this.content.first) this.waitingId = id;
    }
    if (name === 'a' && attributes['name'] && attributes['href'] === undefined && !this.heading) {
      this.flush();
      this.writer.place(attributes['name']);
    }
    if (this.heading) return this.inHeading(at, element);
    if (INLINE.has(name)) return this.inlineElement(at, element);
    this.flush();
    const level = HEADING.exec(name)?.[1];
    if (level !== undefined && !this.isInRemark(element)) {
      return this.beginHeading(Number(level) + this.levelsAbove, false, element);
    }
    switch (name) {
      case 'pre':
        this.writer.gap();
        this.writer.block(codeBlock(this.content, at));
        this.writer.gap();
        return true;
      case 'table':
        if (!isDataTable(this.content, at)) break;
        for (const lines of tableBlocks(this.content, at)) {
          this.writer.gap();
          this.writer.block(lines);
        }
        this.writer.gap();
        return true;
      case 'ul':
      case 'ol':
        this.lists.push(name === 'ol' ? 1 : null);
        this.writer.listEdge();
        this.enter(element, () => {
          this.lists.pop();
          this.writer.listEdge();
        });
        return false;
      case 'li':
        this.item(element);
        return false;
      case 'blockquote':
        this.writer.gap();
        this.writer.enter('> ', '> ');
        this.enter(element, () => {
          this.writer.leave();
          this.writer.gap();
        });
        return false;
      case 'dl':
        this.definitionList(element);
        return false;
      case 'dt':
        if (id !== undefined || this.hasId(at, element)) {
          return this.beginHeading(this.definitions.at(-1) ?? MOST_LEVELS, true, element);
        }
        break;
      case 'summary':
      case 'legend':
        this.writer.gap();
        break;
    }
    this.enter(element, () => undefined);
    return false;
  }

  /**
   * Returns whether an element is in a remark. A remark's own title is not a section: the text
   * after the remark would seem to be in it.
   */
  private isInRemark({ parent }: HtmlElement): boolean {
    const around = this.content.nodes[parent] as HtmlElement | undefined;
    const beyond = around && (this.content.nodes[around.parent] as HtmlElement | undefined);
    return [around, beyond].some((element) => element !== undefined && isRemark(element));
  }

  private enter({ end }: HtmlElement, close: () => void): void {
    this.open.push({
      end,
      close: () => {
        this.flush();
        close();
      },
    });
  }

  private inHeading(at: number, { name, attributes, end }: HtmlElement): boolean {
    if (this.heading && name === 'a' && this.isSignLink(at, end)) {
      this.heading.id ??= linkedId({ attributes });
      return true;
    }
    if (name === 'img') this.text(` ${attributes['alt'] ?? ''} `);
    else if (name === 'br' || !INLINE.has(name)) this.text(' ');
    else if (isCode(name)) this.beginCode(end);
    return false;
  }

  private inlineElement(at: number, element: HtmlElement): boolean {
    const { name, attributes, end } = element;
    if (name === 'br') this.inline.lineBreak();
    else if (name === 'img') this.text(` ${attributes['alt'] ?? ''} `);
    else if (isCode(name)) this.beginCode(end);
    else if (name === 'a' && attributes['href']?.startsWith('#') && this.isSignLink(at, end))
      return true;
    return false;
  }

  /**
   * Returns whether a link is a sign. A sign has only a few nodes; longer links are not checked.
   */
  private isSignLink(at: number, end: number): boolean {
    return end - at <= SIGN_NODES && isSign(textOfElement(this.content, at));
  }

  private beginCode(end: number): void {
    if (this.codeDepth === 0) this.inline.code();
    this.codeDepth += 1;
    this.open.push({
      end,
      close: () => {
        this.codeDepth -= 1;
        if (this.codeDepth === 0) this.inline.code();
      },
    });
  }

  private beginHeading(
    level: number,
    definition: boolean,
    { attributes, end }: HtmlElement,
  ): boolean {
    this.heading = { level, definition, id: attributes['id'] };
    this.open.push({ end, close: () => this.endHeading() });
    return false;
  }

  private endHeading(): void {
    const { heading } = this;
    this.heading = undefined;
    if (!heading) return;
    const text = this.inline.take().join(' ');
    // The place remains for the heading that follows an empty one.
    if (text === '') return;
    const id = heading.id ?? this.waitingId;
    this.waitingId = undefined;
    const plain = text.replaceAll('`', '');
    this.writer.heading(heading.level, text, heading.definition ? nameOf(plain) : plain, id);
  }

  private item(element: HtmlElement): void {
    const number = this.lists.at(-1);
    const marker = number === null || number === undefined ? '- ' : `${number}. `;
    if (typeof number === 'number') this.lists[this.lists.length - 1] = number + 1;
    this.writer.enter(marker, ' '.repeat(marker.length));
    this.enter(element, () => this.writer.leave());
  }

  private definitionList(element: HtmlElement): void {
    const level = Math.min(MOST_LEVELS, (this.definitions.at(-1) ?? this.writer.level) + 1);
    this.definitions.push(level);
    this.writer.gap();
    this.enter(element, () => {
      this.definitions.pop();
      this.writer.endSections(level);
    });
  }

  /**
   * Returns whether an element inside has an id. Definitions can be nested, so none scans its
   * content.
   */
  private hasId(at: number, { end }: HtmlElement): boolean {
    this.nextIds ??= nextPlaces(this.content.nodes, hasOwnId);
    return (this.nextIds[at + 1] as number) < end;
  }

  private flush(): void {
    if (this.heading) return;
    this.writer.block(this.inline.take());
  }
}

function hasOwnId(node: HtmlNode | undefined): boolean {
  return isElement(node) && node.attributes['id'] !== undefined && !isNamedNoise(node);
}

/** Returns the target within the page of a link next to a heading. */
function linkedId({ attributes }: Pick<HtmlElement, 'attributes'>): string | undefined {
  const { id, name, href } = attributes;
  const linked =
    href !== undefined && href.length > 1 && href.startsWith('#') ? href.slice(1) : undefined;
  return id ?? name ?? linked;
}

/** Returns the name of a definition: `asyncio.run` of `asyncio.run(main, *, debug=None)`. */
function nameOf(signature: string): string {
  const open = signature.indexOf('(');
  const name = open > 0 ? signature.slice(0, open) : signature;
  return name.trim();
}
