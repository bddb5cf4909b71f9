import { classesOf, type HtmlElement, isElement, oncePerElement } from './html-tree.js';
import type { MainContent } from './main-content.js';

/** Elements around a block of code that may name its language. */
const LANGUAGE_AROUND = 3;
const LANGUAGE = /^(?:language|lang|highlight-source|highlight|brush)[-:]([\w+#.-]{1,20})$/;
/** Words that highlighters put where others have the language. */
const NO_LANGUAGE: ReadonlySet<string> = new Set([
  'default',
  'none',
  'text',
  'plain',
  'plaintext',
  'nohighlight',
  'txt',
]);
/** Alone in the class of `pre` or `code`, these are languages. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(
  `bash c cpp csharp css diff go graphql html ini java javascript js json kotlin lua makefile perl php powershell python
  ruby rust scala sh shell sql swift toml ts tsx jsx typescript xml yaml yml mjs cjs`
    .split(/\s+/)
    .filter(Boolean),
);

/** Returns a `pre` as a fenced block; nothing for one without text. */
export function codeBlock(content: MainContent, at: number): string[] {
  const { nodes } = content;
  const element = nodes[at] as HtmlElement;
  const parts: string[] = [];
  for (let place = at + 1; place < element.end; place += 1) {
    const node = nodes[place];
    if (!isElement(node)) parts.push(node ?? '');
    else if (content.isLeftOut(place)) place = node.end - 1;
    else if (node.name === 'br') parts.push('\n');
  }
  const code = parts
    .join('')
    .replace(/\r\n?/g, '\n')
    .replace(/^[ \t]*\n/, '')
    .trimEnd();
  if (code.trim() === '') return [];
  let longest = 2;
  for (const [run] of code.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return [
    `${fence}${languageOf(content, at)}`,
    ...code.split('\n').map((line) => line.trimEnd()),
    fence,
  ];
}

function languageOf({ nodes }: MainContent, at: number): string {
  const child = nodes[at + 1];
  const own = [at, ...(isElement(child) && child.name === 'code' ? [at + 1] : [])].map(
    (place) => nodes[place] as HtmlElement,
  );
  for (const element of own) {
    const { 'data-lang': lang, 'data-language': language } = element.attributes;
    const named =
      lang ?? language ?? languageOfClass(element) ?? plainLanguageOfClass(element) ?? '';
    if (named !== '') return isLanguage(named) ? named.toLowerCase() : '';
  }
  let around = own[0]?.parent ?? -1;
  for (let level = 0; level < LANGUAGE_AROUND && around >= 0; level += 1) {
    const element = nodes[around] as HtmlElement;
    const named = languageOfClass(element);
    if (named !== undefined) return isLanguage(named) ? named : '';
    around = element.parent;
  }
  return '';
}

/**
 * Returns the language that a class names. Computed once per element: one element may contain many
 * blocks.
 */
const languageOfClass = oncePerElement((element): string | undefined => {
  for (const word of classesOf(element)) {
    const named = LANGUAGE.exec(word)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
});

function plainLanguageOfClass(element: HtmlElement): string | undefined {
  return classesOf(element).find((word) => PLAIN_NAMES.has(word));
}

function isLanguage(name: string): boolean {
  return /^[\w+#.-]{1,20}$/.test(name) && !NO_LANGUAGE.has(name.toLowerCase());
}
