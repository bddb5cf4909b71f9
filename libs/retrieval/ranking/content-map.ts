import type { RankCandidate } from './rank.types.js';

type Content = Pick<RankCandidate, 'contentHash' | 'contentNumber'>;

interface Entry<V> {
  readonly content: Content;
  readonly next: Entry<V> | undefined;
  value: V;
}

/**
 * Maps contents to values. It reads whole hashes only of candidates whose numbers are equal: most
 * candidates of a search have content of their own.
 */
export class ContentMap<V> {
  private readonly entries = new Map<number | string, Entry<V>>();

  get(content: Content): V | undefined {
    return this.entry(content)?.value;
  }

  set(content: Content, value: V): void {
    const known = this.entry(content);
    if (known) {
      known.value = value;
      return;
    }
    const key = keyOf(content);
    this.entries.set(key, { content, value, next: this.entries.get(key) });
  }

  private entry(content: Content): Entry<V> | undefined {
    let entry = this.entries.get(keyOf(content));
    while (entry && !sameContent(entry.content, content)) entry = entry.next;
    return entry;
  }
}

/** Returns whether two candidates have the same content. */
export function sameContent(a: Content, b: Content): boolean {
  return a === b || (a.contentNumber === b.contentNumber && a.contentHash === b.contentHash);
}

function keyOf(content: Content): number | string {
  return content.contentNumber ?? content.contentHash;
}
