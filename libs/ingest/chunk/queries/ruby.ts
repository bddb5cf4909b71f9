import type { LanguageQuery } from './language-query.js';

export const ruby: LanguageQuery = {
  grammar: 'ruby',
  definitions: `
(module name: (_) @name) @def
(class name: (_) @name) @def
(method name: (_) @name) @def
(singleton_method name: (_) @name) @def
(alias name: (_) @name) @const
(assignment left: (constant) @name) @const
`,
};
