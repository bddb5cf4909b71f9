import type { LanguageQuery } from './language-query.js';

/** Patterns define no names; the grammar is only cut by. */
export const regex: LanguageQuery = { grammar: 'regex', definitions: '' };
