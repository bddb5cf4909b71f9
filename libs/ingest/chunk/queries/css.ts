import type { LanguageQuery } from './language-query.js';

/**
 * Class and id names where a rule styles them, animations and custom properties where they are set.
 */
export const css: LanguageQuery = {
  grammar: 'css',
  definitions: `
(keyframes_statement (keyframes_name) @name) @def
(class_selector (class_name (identifier) @name) @const)
(id_selector (id_name) @name @const)
(declaration (property_name) @name (#match? @name "^--")) @const
`,
};
