import type { LanguageQuery } from './language-query.js';

/** Query for regular expressions, which define no names; the grammar is only used to cut. */
export const regex: LanguageQuery = { grammar: 'regex', definitions: '' };
