/** Kinds of symbols that other files can name. */
export const SYMBOL_KINDS = ['function', 'type', 'value', 'method', 'property'] as const;
export type SymbolKind = (typeof SYMBOL_KINDS)[number];

/**
 * Returns the kind of a symbol by its descriptors. It is undefined for namespaces, parameters,
 * constructors, names inside of functions, and parts of literals without a name of their own.
 */
export function symbolKind(symbol: string): SymbolKind | undefined {
  if (symbol.startsWith('local ')) return undefined;
  if (/`<(?:init|constructor)>`\([^)]*\)\.$/.test(symbol)) return undefined;
  const plain = symbol.replace(/`(?:[^`]|``)*`/g, 'x');
  const descriptors = plain.slice(plain.lastIndexOf('/') + 1).replace(/^.* /, '');
  const inner = descriptors.replace(/(?:\([\w+-]*\)\.|[#.])$/, '');
  // What is declared in a function or a literal of a type belongs to it.
  if (/\(|:/.test(inner)) return undefined;
  const isMember = inner.includes('#');
  if (/\([\w+-]*\)\.$/.test(descriptors)) return isMember ? 'method' : 'function';
  if (descriptors.endsWith('#')) return 'type';
  if (descriptors.endsWith('.')) return isMember ? 'property' : 'value';
  return undefined;
}
