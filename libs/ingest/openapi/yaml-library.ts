import { createRequire } from 'node:module';

type YamlLibrary = Pick<
  typeof import('yaml'),
  'isScalar' | 'Lexer' | 'LineCounter' | 'parseDocument' | 'visit'
>;

const load = createRequire(import.meta.url);

/**
 * Returns the parser of YAML, loaded by the first call: that takes 20 ms, and most specifications
 * are JSON.
 */
export function yamlLibrary(): YamlLibrary {
  return load('yaml') as YamlLibrary;
}
