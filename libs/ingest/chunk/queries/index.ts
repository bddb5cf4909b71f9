import { javascript } from './javascript.js';
import type { LanguageQuery } from './language-query.js';
import { python } from './python.js';
import { tsx, typescript } from './typescript.js';

/** Languages that are cut by syntax, by the name that citations show. */
export const LANGUAGE_QUERIES: Readonly<Record<string, LanguageQuery>> = { javascript, python, tsx, typescript };
