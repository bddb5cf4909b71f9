/** The part of a parsed expression that is read here; the engine's own form has more fields. */
export interface ParsedExpression {
  readonly kind: {
    readonly '@variant': string;
    readonly '@values'?: readonly unknown[];
  };
}

/** A literal as the engine's parser returns it: its bytes by index. */
interface ParsedLiteral {
  readonly '@values': readonly Readonly<Record<string, number>>[];
}

/** The ranges of a class; others than those of Unicode characters have numbers. */
export interface ParsedClass {
  readonly '@values': readonly {
    readonly ranges?: readonly { readonly start: unknown; readonly end: unknown }[];
  }[];
}

export interface ParsedRepetition {
  readonly min: number;
  readonly max?: number | null;
  readonly sub: ParsedExpression;
}

/** Returns the text of a literal; nothing for bytes that are not a text of their own. */
export function textOf(literal: unknown): string {
  const { '@values': values } = literal as ParsedLiteral;
  const bytes = Uint8Array.from(Object.values(values[0] ?? {}));
  const text = Buffer.from(bytes).toString();
  return text.includes('\ufffd') ? '' : text;
}
