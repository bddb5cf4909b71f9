import { describe, expect, it } from '@jest/globals';

import { takeDocstrings } from './take-docstrings.js';

describe('takeDocstrings', () => {
  it.each([
    [
      'typescript',
      'const a = 1;\n/**\n * Adds two numbers.\n */\n@memo\nexport function add(a: number) {}\n',
      'add',
      3,
    ],
    ['java', '/** Adds two numbers. */\npublic static int add(int a, int b) {\n', 'add', 1],
    ['rust', 'use x;\n/// Adds two\n/// numbers.\n#[inline]\npub fn add(a: u8) {}\n', 'add', 3],
    ['go', 'package a\n\n// Adds two numbers.\nfunc (s *Sum) Add(a int) {}\n', 'Add', 3],
    [
      'python',
      'x = 1\ndef add(\n    a, b\n) -> int:\n    """Adds two numbers."""\n    return a + b\n',
      'add',
      2,
    ],
    [
      'elixir',
      '@doc """\nAdds two numbers.\n"""\n@spec add(a) :: b\ndef add(a), do: a\n',
      'add',
      2,
    ],
    ['ruby', '# Adds two numbers.\ndef self.add(a)\nend\n', 'add', 1],
  ])('removes the comment of a function: %s', (language, text, name, line) => {
    const { functions, text: bare } = takeDocstrings(language, text);
    expect(functions).toEqual([
      { name, line, comment: expect.stringMatching(/Adds two\s+numbers/) as unknown },
    ]);
    expect(bare).not.toContain('Adds');
    expect(bare.split('\n')[line - 1]).toContain(name);
  });

  it('keeps other comments and languages', () => {
    for (const [language, text] of [
      ['typescript', '/** A file. */\n\nimport a from "b";\n// a note\nfoo(1);\n'],
      ['python', 'def add(a):\n    return """text"""\n'],
      ['toml', '# a comment\nkey = 1\n'],
    ] as const) {
      expect(takeDocstrings(language, text)).toEqual({ text, functions: [] });
    }
  });
});
