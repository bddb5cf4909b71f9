import { decodePartTexts } from '../analyzed-part.js';
import { inPackOrder } from '../pack-order.js';
import { inUtf8Order } from '../sorted-tables.js';
import { type PackedTrigrams, packTrigrams } from './pack-trigrams.js';

/**
 * Returns the trigrams of the pack that these parts are built into. Reads only locations and texts,
 * so that another thread can build the rest of the pack. CPU-heavy.
 * @param parts encoded parts, in the order in which they are packed.
 * @throws BadSectionsError if a part is damaged.
 */
export function trigramsOfParts(parts: readonly Uint8Array[]): PackedTrigrams {
  const texts = parts.map(decodePartTexts);
  const paths = new Set(texts.flatMap(({ chunks }) => chunks.map(({ path }) => path)));
  const pathId = new Map(inUtf8Order([...paths]).map((path, id) => [path, id]));
  return packTrigrams(inPackOrder(texts, pathId));
}
