import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/**
 * Reads the vocabulary of o200k: lines of a token in base64, a space and its rank. The light
 * package reads a compressed copy in its place (`tools/pack-cli.mjs`).
 */
export function readO200kFile(): Uint8Array {
  const { resolve } = createRequire(import.meta.url);
  return readFileSync(resolve('gpt-tokenizer/data/o200k_base.tiktoken'));
}
