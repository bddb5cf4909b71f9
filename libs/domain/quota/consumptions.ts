/** One consumption that counts, or that was returned and no longer counts. */
export interface Consumption {
  readonly id: string;
  /** Time of the consumption, milliseconds since the epoch. */
  readonly at: number;
  /** 0 after it was returned. */
  readonly amount: number;
}

/** Some consumptions in order of time, with their sum. */
interface Block {
  readonly items: readonly Consumption[];
  readonly amount: number;
}

/**
 * Consumptions in order of time, whatever their order of arrival. Immutable: adding one copies one
 * block and the list of blocks. So a decision over a hundred thousand of them takes microseconds.
 */
export type Consumptions = readonly Block[];

export const NO_CONSUMPTIONS: Consumptions = [];

const BLOCK_ITEMS = 256;

export function withConsumption(blocks: Consumptions, added: Consumption): Consumptions {
  let index = blocks.length - 1;
  while (index > 0 && first(blocks[index]) > added.at) index -= 1;
  const block = blocks[index];
  if (!block) return [blockOf([added])];
  let at = block.items.length;
  while (at > 0 && (block.items[at - 1]?.at ?? 0) > added.at) at -= 1;
  const items = [...block.items.slice(0, at), added, ...block.items.slice(at)];
  const full = items.length > BLOCK_ITEMS;
  // The new one is usually the last; it then starts the next block alone.
  const cut = at === items.length - 1 ? items.length - 1 : items.length >> 1;
  const parts = full ? [blockOf(items.slice(0, cut)), blockOf(items.slice(cut))] : [blockOf(items)];
  return [...blocks.slice(0, index), ...parts, ...blocks.slice(index + 1)];
}

/** Returns the same consumptions with the amount of one set to 0; it stays known as returned. */
export function withReturned(blocks: Consumptions, id: string): Consumptions {
  return blocks.map((block) =>
    block.items.some((item) => item.id === id)
      ? blockOf(block.items.map((item) => (item.id === id ? { ...item, amount: 0 } : item)))
      : block,
  );
}

/** Removes consumptions older than a moment. Older ones in the same block as a newer one stay. */
export function withoutOlder(blocks: Consumptions, moment: number): Consumptions {
  const kept = blocks.findIndex((block) => last(block) > moment);
  if (kept === 0) return blocks;
  return kept === -1 ? NO_CONSUMPTIONS : blocks.slice(kept);
}

export function findConsumption(blocks: Consumptions, id: string): Consumption | undefined {
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const found = blocks[index]?.items.find((item) => item.id === id);
    if (found) return found;
  }
  return undefined;
}

/**
 * Returns the same consumptions with those later than `latest` moved back to `moment`. A clock that
 * was ahead stored them, and they must not count until the right time.
 */
export function withoutFuture(blocks: Consumptions, latest: number, moment: number): Consumptions {
  if (last(blocks.at(-1)) <= latest) return blocks;
  const items = blocks
    .flatMap((block) => block.items)
    .map((item) => (item.at > latest ? { ...item, at: moment } : item))
    .sort((a, b) => a.at - b.at);
  return Array.from({ length: Math.ceil(items.length / BLOCK_ITEMS) }, (_, index) =>
    blockOf(items.slice(index * BLOCK_ITEMS, (index + 1) * BLOCK_ITEMS)),
  );
}

/** Returns the amount consumed after a moment. */
export function amountSince(blocks: Consumptions, moment: number): number {
  let sum = 0;
  for (let index = blocks.length - 1; index >= 0; index -= 1) {
    const block = blocks[index];
    if (!block || last(block) <= moment) break;
    if (first(block) > moment) sum += block.amount;
    else for (const { at, amount } of block.items) if (at > moment) sum += amount;
  }
  return sum;
}

/**
 * Returns the moment at which the oldest consumptions after `moment` add up to `amount`, or null if
 * they do not.
 */
export function momentOf(blocks: Consumptions, moment: number, amount: number): number | null {
  let left = amount;
  for (const block of blocks) {
    if (last(block) <= moment) continue;
    for (const item of block.items) {
      if (item.at <= moment || item.amount === 0) continue;
      left -= item.amount;
      if (left <= 0) return item.at;
    }
  }
  return null;
}

export function countOf(blocks: Consumptions): number {
  return blocks.reduce((sum, { items }) => sum + items.length, 0);
}

function blockOf(items: readonly Consumption[]): Block {
  return { items, amount: items.reduce((sum, { amount }) => sum + amount, 0) };
}

function first(block: Block | undefined): number {
  return block?.items[0]?.at ?? -Infinity;
}

function last(block: Block | undefined): number {
  return block?.items.at(-1)?.at ?? -Infinity;
}
