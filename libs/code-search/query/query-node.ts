import type { LineExpression } from '../pattern/line-engine.port.js';

/** The part of a document that a term is matched with. */
export type TermField = 'content' | 'file' | 'repo' | 'sym';

/** A text or expression in a query. */
export interface TermNode {
  readonly kind: 'term';
  readonly field: TermField;
  readonly expression: LineExpression;
  /** Position of the text in the query, in characters from 0. */
  readonly at: number;
}

/** A query as a tree. */
export type QueryNode =
  | TermNode
  | { readonly kind: 'lang'; readonly language: string }
  | { readonly kind: 'not'; readonly part: QueryNode }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly QueryNode[] };

/** Returns the terms of a query in their order. */
export function termsOf(node: QueryNode): readonly TermNode[] {
  switch (node.kind) {
    case 'term':
      return [node];
    case 'lang':
      return [];
    case 'not':
      return termsOf(node.part);
    default:
      return node.parts.flatMap(termsOf);
  }
}

/** Returns the one form of a query that shows how it was understood. */
export function describeQuery(node: QueryNode): string {
  switch (node.kind) {
    case 'term': {
      const { pattern, regex, caseSensitive } = node.expression;
      const text = regex ? `/${pattern}/` : JSON.stringify(pattern);
      return `${node.field}:${text}${caseSensitive ? '' : 'i'}`;
    }
    case 'lang':
      return `lang:${JSON.stringify(node.language)}`;
    case 'not':
      return `(not ${describeQuery(node.part)})`;
    default:
      return `(${node.kind} ${node.parts.map(describeQuery).join(' ')})`;
  }
}
