/** Patterns that find the definitions of a language without a grammar. */
export interface Outline {
  /**
   * Comments and strings, which contain no definitions. An unclosed comment extends to the end of
   * the text, an unclosed string to the end of its line. Otherwise the pattern would fail and start
   * again at every quote inside.
   */
  readonly opaque: RegExp;
  /**
   * Patterns for a line without comments that defines `name`. The first pattern that matches
   * decides.
   */
  readonly lines: readonly {
    readonly kind: 'def' | 'const' | 'scope';
    readonly pattern: RegExp;
  }[];
}

/**
 * Languages with definitions that start lines and are indented, and for which no registry has a
 * WASM grammar.
 */
export const OUTLINES: Readonly<Record<string, Outline>> = {
  protobuf: {
    opaque: /"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?|\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n]*/g,
    lines: [
      { kind: 'scope', pattern: /^\s*extend\s+(?<name>[\w.]+)/ },
      { kind: 'def', pattern: /^\s*(?:message|enum|service|rpc)\s+(?<name>\w+)/ },
      {
        kind: 'const',
        pattern: /^\s*(?:oneof|(?:repeated\s+|optional\s+|required\s+)?group)\s+(?<name>\w+)/,
      },
      {
        kind: 'const',
        pattern: /^\s*(?!option\b)(?:\w+\s+)?(?:map\s*<[^>\n]*>|[\w.]+)\s+(?<name>\w+)\s*=\s*\d/,
      },
      { kind: 'const', pattern: /^\s+(?<name>[A-Za-z]\w*)\s*=\s*-?(?:0x)?\d/ },
    ],
  },
  graphql: {
    opaque: /"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?|#[^\n]*/g,
    lines: [
      {
        kind: 'scope',
        pattern: /^extend\s+(?:type|interface|input|enum|union|scalar)\s+(?<name>\w+)/,
      },
      { kind: 'def', pattern: /^\s*(?:type|interface|input|enum|union|scalar)\s+(?<name>\w+)/ },
      { kind: 'def', pattern: /^\s*directive\s+@(?<name>\w+)/ },
      { kind: 'def', pattern: /^\s*(?:query|mutation|subscription|fragment)\s+(?<name>\w+)/ },
      { kind: 'const', pattern: /^\s+(?<name>\w+)\s*(?:\([^)\n]*(?:\)\s*)?)?:/ },
      { kind: 'const', pattern: /^\s+(?<name>\w+)\s*\($/ },
    ],
  },
};
