import type { EmbeddingInput } from '../embedder.port.js';
import type { ModelSettings } from './model-settings.js';

/** Names of a chunk without a symbol that are worth telling the model. */
const MOST_NAMES = 8;

type InputSettings = Pick<ModelSettings, 'passagePrefix' | 'queryPrefix' | 'maxCharacters'>;

/**
 * What the model reads of a chunk: where it stands, what it is called, its text. A text of no file
 * is read alone.
 */
export function passageText(
  { path, symbol, defs, content }: EmbeddingInput,
  settings: InputSettings,
): string {
  const names = symbol ?? defs.slice(0, MOST_NAMES).join(' ');
  const header = names === '' ? path : `${path}\n${names}`;
  const text = header === '' ? content : `${header}\n\n${content}`;
  return cut(`${settings.passagePrefix}${text}`, settings.maxCharacters);
}

export function queryText(text: string, { queryPrefix, maxCharacters }: InputSettings): string {
  return cut(`${queryPrefix}${text}`, maxCharacters);
}

/** The first part of a text, at most `length` UTF-16 units; no character is cut in two. */
export function cut(text: string, length: number | undefined): string {
  return length === undefined || text.length <= length
    ? text
    : text.slice(0, length).toWellFormed();
}
