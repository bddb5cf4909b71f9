import type { ScopeRules } from '../name-role.js';
import { goScopes } from './go-scopes.js';
import { javaScopes } from './java-scopes.js';
import { javascriptScopes } from './javascript-scopes.js';
import { pythonScopes } from './python-scopes.js';
import { rustScopes } from './rust-scopes.js';

/** Languages whose scopes and imports are known, by the grammar that parses them. */
const SCOPE_RULES: ReadonlyMap<string, ScopeRules> = new Map([
  ['javascript', javascriptScopes],
  ['typescript', javascriptScopes],
  ['tsx', javascriptScopes],
  ['python', pythonScopes],
  ['java', javaScopes],
  ['go', goScopes],
  ['rust', rustScopes],
]);

/** Returns the scopes and imports of a language; undefined if they are not known. */
export function scopeRulesOf(grammar: string): ScopeRules | undefined {
  return SCOPE_RULES.get(grammar);
}
