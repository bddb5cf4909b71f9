import { fenceFor, visibleText } from '#retrieval';

/** Characters of an unknown id that a problem repeats. */
const MOST_OF_ID = 40;
const MOST_UNKNOWN = 5;

/** Items that a model may choose, by ids of ours. */
export class Listing<Item> {
  private readonly byId: ReadonlyMap<string, Item>;

  constructor(
    prefix: string,
    readonly items: readonly Item[],
  ) {
    this.byId = new Map(items.map((item, at) => [`${prefix}${at + 1}`, item]));
  }

  /** Returns the items as text, each with its id and between fences. */
  shown(describe: (item: Item) => string): string {
    return [...this.byId].map(([id, item]) => `${id}\n${fenced(describe(item))}`).join('\n');
  }

  /** Returns the items with these ids, each once, in the order of the ids. */
  pick(ids: readonly string[]): Item[] {
    return [...new Set(ids)].flatMap((id) => {
      const item = this.byId.get(id);
      return item === undefined ? [] : [item];
    });
  }

  /** Returns a sentence about ids that are not listed; null if there are none. */
  problem(ids: readonly string[]): string | null {
    const unknown = ids.filter((id) => !this.byId.has(id)).slice(0, MOST_UNKNOWN);
    if (unknown.length === 0) return null;
    const shown = unknown.map((id) => JSON.stringify(id.slice(0, MOST_OF_ID).toWellFormed()));
    return `These ids are not listed: ${shown.join(', ')}`;
  }
}

/** Returns a text between fences that it cannot close, without hidden characters. */
export function fenced(text: string): string {
  const visible = visibleText(text);
  const fence = fenceFor([visible]);
  return `${fence}\n${visible}\n${fence}`;
}
