import type { LanguageQuery } from './language-query.js';

export const ini: LanguageQuery = {
  grammar: 'ini',
  definitions: '(section (section_name (text) @name)) @def',
};
