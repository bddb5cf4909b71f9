import type { EmbeddingInput } from '../embedder.port.js';
import type { ModelSettings } from './model-settings.js';

/** Number of names that the model gets for a chunk without a symbol. */
const MAX_NAMES = 8;

type InputSettings = Pick<ModelSettings, 'passagePrefix' | 'queryPrefix' | 'maxCharacters'>;

/**
 * Returns the input of the model for a chunk: location, names, text. A text without a file is read
 * alone.
 */
export function passageText(
  { path, symbol, defs, content }: EmbeddingInput,
  settings: InputSettings,
): string {
  const names = symbol ?? defs.slice(0, MAX_NAMES).join(' ');
  const header = names === '' ? path : `${path}\n${names}`;
  const text = header === '' ? content : `${header}\n\n${content}`;
  return cut(`${settings.passagePrefix}${text}`, settings.maxCharacters);
}

export function queryText(text: string, { queryPrefix, maxCharacters }: InputSettings): string {
  return cut(`${queryPrefix}${text}`, maxCharacters);
}

/** Returns the beginning of a text, at most `length` UTF-16 units, without cutting a character. */
export function cut(text: string, length: number | undefined): string {
  return length === undefined || text.length <= length
    ? text
    : text.slice(0, length).toWellFormed();
}
