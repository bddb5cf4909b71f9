import type { Node } from 'web-tree-sitter';

/** Levels of a tree that are looked at; names below them stay unresolved. */
const MOST_LEVELS = 500;

/** A node on the way from the root of a tree to an identifier. */
export interface PathStep {
  readonly node: Node;
  readonly type: string;
  /** Field of its parent that it is in. */
  readonly field: string | null;
}

/**
 * The nodes from an identifier up to the root. They are read once from above: tree-sitter searches
 * the parent of a node from the root.
 */
export class SyntaxPath {
  private constructor(private readonly steps: readonly PathStep[]) {}

  /** Returns undefined for a leaf that is too deep. */
  static to(leaf: Node, root: Node): SyntaxPath | undefined {
    const cursor = root.walk();
    const steps: PathStep[] = [];
    try {
      while (steps.length < MOST_LEVELS) {
        const { currentNode: node, currentFieldName: field } = cursor;
        steps.push({ node, type: node.type, field });
        if (node.id === leaf.id) return new SyntaxPath(steps.reverse());
        if (!cursor.gotoFirstChild()) return undefined;
        while (cursor.endIndex <= leaf.startIndex) if (!cursor.gotoNextSibling()) return undefined;
      }
      return undefined;
    } finally {
      cursor.delete();
    }
  }

  /** Returns the step that many levels above the identifier. */
  at(level: number): PathStep | undefined {
    return this.steps[level];
  }

  get leaf(): PathStep {
    return this.steps[0] as PathStep;
  }

  get root(): PathStep {
    return this.steps.at(-1) as PathStep;
  }

  /** Returns the level of the first node from a level on whose type is one of some. */
  levelOf(types: ReadonlySet<string>, from = 1): number | undefined {
    const found = this.steps.findIndex(({ type }, level) => level >= from && types.has(type));
    return found === -1 ? undefined : found;
  }

  /** Returns the first node from a level on whose type is one of some, or else the root. */
  nearest(types: ReadonlySet<string>, from = 1): PathStep {
    return this.at(this.levelOf(types, from) ?? -1) ?? this.root;
  }

  /** Returns the nodes from the identifier up. */
  [Symbol.iterator](): Iterator<PathStep> {
    return this.steps[Symbol.iterator]();
  }
}
