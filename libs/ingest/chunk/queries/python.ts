import type { LanguageQuery } from './language-query.js';

/** Further targets of one assignment that are found: `a = b = c = 0` has two. */
const MOST_TARGETS = 4;

/**
 * Returns patterns for the names that one assignment gives a value to. The last target of
 * `a = b = 0` is in an assignment inside of the first one, which the capture names.
 */
function targets(capture: string, around: (assignment: string) => string): string {
  const patterns = Array.from({ length: MOST_TARGETS + 1 }, (_, depth) => {
    const inner = '(assignment left: (identifier) @name)';
    const chain = '(assignment right: '.repeat(depth) + inner + ')'.repeat(depth);
    return around(`${chain} ${capture}`);
  });
  return patterns.join('\n');
}

export const python: LanguageQuery = {
  grammar: 'python',
  definitions: `
(class_definition name: (identifier) @name) @def
(function_definition name: (identifier) @name) @def
(type_alias_statement left: (type (identifier) @name)) @const
${targets('@const', (each) => `(module (expression_statement ${each}))`)}
${targets('@const', (each) => `(module (if_statement (block (expression_statement ${each}))))`)}
`,
  members: `
${targets('@member', (each) => `(class_definition body: (block (expression_statement ${each})))`)}
(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name)
  (#eq? @_self "self")) @assigned
`,
  leads: ['decorator'],
  docStrings: ['expression_statement', 'string'],
  isDocString: (node) => node.type === 'string' || node.firstNamedChild?.type === 'string',
};
