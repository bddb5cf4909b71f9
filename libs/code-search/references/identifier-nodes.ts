import type { Node } from 'web-tree-sitter';

/** Types of leaves that hold text of other kinds. */
const NO_IDENTIFIER = /comment|string|char|text|content|regex|heredoc|literal|escape|^error$/i;
/** Types of nodes around the identifiers of an import. */
const IMPORT = /import|^use_(?:declaration|list)|include|(?:^|_)require(?:_|$)|^using_/;
/** Levels between an identifier and the import that it stands in. */
const IMPORT_LEVELS = 6;

/**
 * Returns the leaf of a tree that is an identifier and covers a range; null for keywords, comments,
 * strings and parts of longer tokens.
 */
export function identifierNode(root: Node, start: number, end: number): Node | null {
  const node = root.descendantForIndex(start, end);
  const isLeaf =
    node?.isNamed &&
    node.childCount === 0 &&
    node.startIndex === start &&
    node.endIndex === end &&
    !NO_IDENTIFIER.test(node.type);
  return isLeaf ? node : null;
}

/** Returns true if an identifier stands in an import. */
export function isImported(leaf: Node): boolean {
  let node = leaf.parent;
  for (let level = 0; node && level < IMPORT_LEVELS; level += 1) {
    if (IMPORT.test(node.type)) return true;
    if (/statement|declaration|block|body/.test(node.type)) return false;
    node = node.parent;
  }
  return false;
}
