import type { Language, Node } from 'web-tree-sitter';

import type { LanguageQuery } from './queries/language-query.js';

/** Properties of a grammar for the splitter, looked up by numeric node type for speed. */
export class LanguageProfile {
  private readonly leading: ReadonlySet<number>;
  private readonly whole: ReadonlySet<number>;

  constructor(
    language: Language,
    private readonly query: LanguageQuery,
  ) {
    const ids = (names: readonly string[]): Set<number> => {
      const wanted = new Set(names);
      const found = new Set<number>();
      language.types.forEach((name, id) => {
        if (wanted.has(name)) found.add(id);
      });
      return found;
    };
    this.leading = ids([...COMMENTS, ...(query.leads ?? [])]);
    this.whole = ids([...COMMENTS, ...(query.leads ?? []), ...(query.docStrings ?? [])]);
  }

  /** Returns true for comments, decorators and attributes, which precede their definition. */
  leads(node: Node): boolean {
    return this.leading.has(node.typeId);
  }

  /** Returns true for nodes that are not split up to the hard limit. */
  isKeptWhole(node: Node): boolean {
    return this.whole.has(node.typeId);
  }

  /** Returns true if the node's first part documents it from the inside (a Python docstring). */
  beginsWithDocComment(node: Node): boolean {
    if (this.query.docStrings === undefined) return false;
    const first = node.firstNamedChild;
    return (
      first !== null && this.whole.has(first.typeId) && (this.query.isDocString?.(first) ?? false)
    );
  }
}

const COMMENTS = [
  'comment',
  'line_comment',
  'block_comment',
  'multiline_comment',
  'doc_comment',
  'documentation_comment',
];
