import { Tokenizer } from 'htmlparser2';

export interface HtmlElement {
  /** Lower case. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Place of the element around it; -1 for none. */
  readonly parent: number;
  /** Place after its last descendant. */
  end: number;
}

/** An element or a run of text. */
export type HtmlNode = HtmlElement | string;

/** A page in document order: the content of an element follows it, up to its end. */
export interface HtmlTree {
  readonly nodes: readonly HtmlNode[];
  /** Text of the page's `title`. */
  readonly title: string;
}

/**
 * Reads a page without recursion; time and memory grow in line with its size, whatever it contains.
 * Elements are matched here. The library's own matching moves all open elements at each one, and a
 * page of unclosed elements would take minutes.
 */
export function readTree(html: string): HtmlTree {
  const builder = new TreeBuilder(html);
  const tokenizer = new Tokenizer({ decodeEntities: true }, builder);
  tokenizer.write(html);
  tokenizer.end();
  return builder.finish();
}

const VOID: ReadonlySet<string> = new Set(
  'area base basefont br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);
const CLOSES_P =
  'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul';

/** Elements that one closes where they stand open right around it. */
const CLOSES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  [
    ...CLOSES_P.split(' ').map((name) => [name, 'p'] as const),
    ['li', 'p li'] as const,
    ['dt', 'p dt dd'] as const,
    ['dd', 'p dt dd'] as const,
    ['tr', 'p td th tr'] as const,
    ['td', 'p td th'] as const,
    ['th', 'p td th'] as const,
    ['thead', 'p td th tr tbody thead caption colgroup'] as const,
    ['tbody', 'p td th tr tbody thead caption colgroup'] as const,
    ['tfoot', 'p td th tr tbody thead caption colgroup'] as const,
    ['option', 'option'] as const,
    ['a', 'a'] as const,
    ['body', 'head'] as const,
  ].map(([name, closed]) => [name, new Set(closed.split(' '))]),
);

/** Takes tokens; their places are those of the text, which is written in one piece. */
class TreeBuilder {
  private readonly nodes: HtmlNode[] = [];
  /** Places of the open elements, the innermost last. */
  private readonly open: number[] = [];
  /** Number of open elements by name; recognizes a stray end tag without a search. */
  private readonly counts = new Map<string, number>();
  private title: string | undefined;
  private inTitle = false;
  private name = '';
  private attributes: Record<string, string> = {};
  private attribute = '';
  private value = '';

  constructor(private readonly html: string) {}

  finish(): HtmlTree {
    while (this.open.length > 0) this.close();
    return { nodes: this.nodes, title: (this.title ?? '').replace(/\s+/g, ' ').trim() };
  }

  ontext(start: number, end: number): void {
    this.text(this.html.slice(start, end));
  }
  ontextentity(codepoint: number): void {
    this.text(String.fromCodePoint(codepoint));
  }
  onopentagname(start: number, end: number): void {
    this.name = this.html.slice(start, end).toLowerCase();
    this.attributes = {};
  }
  onattribname(start: number, end: number): void {
    this.attribute = this.html.slice(start, end).toLowerCase();
    this.value = '';
  }
  onattribdata(start: number, end: number): void {
    this.value += this.html.slice(start, end);
  }
  onattribentity(codepoint: number): void {
    this.value += String.fromCodePoint(codepoint);
  }
  onattribend(): void {
    if (KEPT_ATTRIBUTES.has(this.attribute)) this.attributes[this.attribute] ??= this.value;
  }
  onopentagend(): void {
    const { name, attributes } = this;
    const closes = CLOSES.get(name);
    while (closes?.has(this.innermost()?.name ?? '')) this.close();
    if (name === 'title' && this.title === undefined) this.inTitle = true;
    const element = {
      name,
      attributes,
      parent: this.open.at(-1) ?? -1,
      end: this.nodes.length + 1,
    };
    this.nodes.push(element);
    if (VOID.has(name)) return;
    this.open.push(this.nodes.length - 1);
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
  onselfclosingtag(): void {
    this.onopentagend();
    // HTML ignores the slash; it counts only inside drawings and formulas, which are not read.
  }
  onclosetag(start: number, end: number): void {
    const name = this.html.slice(start, end).toLowerCase();
    if ((this.counts.get(name) ?? 0) === 0) return;
    while (this.innermost()?.name !== name) this.close();
    this.close();
  }
  onend(): void {
    // What is still open is closed by `finish`.
  }
  oncdata(start: number, end: number): void {
    this.text(this.html.slice(start, end));
  }
  oncomment(): void {
    // No text of the page.
  }
  ondeclaration(): void {
    // No text of the page.
  }
  onprocessinginstruction(): void {
    // No text of the page.
  }

  private innermost(): HtmlElement | undefined {
    return this.nodes[this.open.at(-1) ?? -1] as HtmlElement | undefined;
  }

  private close(): void {
    const element = this.innermost();
    this.open.pop();
    if (!element) return;
    element.end = this.nodes.length;
    if (element.name === 'title') this.inTitle = false;
    this.counts.set(element.name, (this.counts.get(element.name) ?? 1) - 1);
  }

  private text(text: string): void {
    if (this.inTitle) this.title = (this.title ?? '') + text;
    const last = this.nodes.length - 1;
    const before = this.nodes[last];
    // Entities arrive apart from the text around them. Text after an element's end is not its text.
    const joins =
      typeof before === 'string' &&
      this.textParent === (this.open.at(-1) ?? -1) &&
      this.textAt === last;
    if (joins) this.nodes[last] = before + text;
    else this.nodes.push(text);
    this.textParent = this.open.at(-1) ?? -1;
    this.textAt = this.nodes.length - 1;
  }
  private textParent = -2;
  private textAt = -2;
}

/** Attributes that a decision here depends on; the others are not kept. */
const KEPT_ATTRIBUTES: ReadonlySet<string> = new Set(
  'alt aria-hidden charset class colspan content data-lang data-language href hidden http-equiv id itemprop lang language name property rel role rowspan start style summary title'.split(
    ' ',
  ),
);

export function isElement(node: HtmlNode | undefined): node is HtmlElement {
  return typeof node === 'object';
}

/** Words of `class`, lower case. */
export const classesOf = oncePerElement(({ attributes }): readonly string[] => {
  const value = attributes['class'];
  return value === undefined ? [] : value.toLowerCase().split(/\s+/).filter(Boolean);
});

/**
 * Computes a fact of an element once. Thousands of children may need it of their parent, whose
 * `class` may be as long as the page.
 */
export function oncePerElement<Fact>(
  compute: (element: HtmlElement) => Fact,
): (element: HtmlElement) => Fact {
  const known = new WeakMap<HtmlElement, { readonly fact: Fact }>();
  return (element) => {
    let entry = known.get(element);
    if (!entry) known.set(element, (entry = { fact: compute(element) }));
    return entry.fact;
  };
}

/**
 * Returns for each place the next one, itself included, whose node has a property. Where no node
 * follows, it is the number of nodes. One pass from the end, whatever the nesting: the answer for a
 * range is one comparison.
 */
export function nextPlaces(
  nodes: readonly HtmlNode[],
  has: (node: HtmlNode | undefined) => boolean,
): Int32Array {
  const next = new Int32Array(nodes.length + 1).fill(nodes.length);
  for (let at = nodes.length - 1; at >= 0; at -= 1)
    next[at] = has(nodes[at]) ? at : (next[at + 1] as number);
  return next;
}
