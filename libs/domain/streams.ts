import { type DefinedStream, isStream } from './define-stream.js';
import * as domain from './index.js';

/** Every kind of stream that the domain exports, by category. */
export const STREAM_KINDS: Readonly<Record<string, DefinedStream>> = byCategory(
  Object.values<unknown>(domain).filter(isStream),
);

/**
 * @throws Error if two kinds have the same category, since their streams would be
 * indistinguishable.
 */
export function byCategory(
  streams: readonly DefinedStream[],
): Readonly<Record<string, DefinedStream>> {
  const kinds: Record<string, DefinedStream> = {};
  for (const stream of streams) {
    const other = kinds[stream.category];
    if (other)
      throw new Error(
        `Streams ${other.pattern} and ${stream.pattern} have the same category; rename one`,
      );
    kinds[stream.category] = stream;
  }
  return Object.freeze(kinds);
}
