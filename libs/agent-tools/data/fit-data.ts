import type { DataCut, TokenCounter } from '../tool.types.js';

type Data = Readonly<Record<string, unknown>>;

/** The budget of data. */
export interface DataRoom {
  /** Maximum tokens of the data as JSON. */
  readonly tokens: number;
  readonly countTokens: TokenCounter;
  /** Further tokens of an item of the first list, such as those of its link. */
  readonly besides?: (index: number) => number;
}

/** Tokens of the fields about the rest. */
const FRAME = 80;
/** Longer items do not fit in any budget, and are costly to count. */
const LONGEST_ITEM = 200_000;

/**
 * Returns data within a budget. What is cut is counted in `not_shown`, and `more` names the call
 * that continues. Other fields than the texts and lists to cut stay whole.
 */
export function fitData(data: Data, cut: DataCut, room: DataRoom): Data {
  const { texts = [], lists = [], within, continued } = cut;
  const json = (value: unknown) => JSON.stringify(value) ?? '';
  const count = (value: unknown): number => {
    const written = json(value);
    return written.length > LONGEST_ITEM ? Infinity : room.countTokens(written) + 1;
  };
  const rest = Object.entries(data).filter(([name]) => ![...texts, ...lists].includes(name));
  let left = room.tokens - FRAME - count(Object.fromEntries(rest));
  const shown: number[] = [];
  let notShown = 0;
  const kept: Record<string, unknown> = {};

  for (const name of texts.filter((each) => typeof data[each] === 'string')) {
    const lines = String(data[name]).split('\n');
    const fitting = takeItems(lines);
    kept[name] = fitting.join('\n');
    note(fitting.length, lines.length);
  }
  lists.forEach((name, at) => {
    const items = data[name];
    if (!Array.isArray(items)) return;
    const inner = at === 0 ? within : undefined;
    const fitting = takeItems(items as readonly unknown[], at === 0 ? room.besides : undefined);
    const next = items[fitting.length] as Data | undefined;
    const part = inner !== undefined && next ? partOf(next, inner) : null;
    if (part) fitting.push(part);
    kept[name] = fitting;
    note(sizeOf(fitting, inner), sizeOf(items, inner));
  });
  if (notShown === 0) return data;
  return { ...data, ...kept, not_shown: notShown, ...continued(shown[0] ?? 0) };

  function note(size: number, all: number): void {
    shown.push(size);
    notShown += all - size;
  }

  /** Returns the first items that fit, and takes their tokens from the room. */
  function takeItems(items: readonly unknown[], besides?: DataRoom['besides']): unknown[] {
    const fitting: unknown[] = [];
    for (const [index, item] of items.entries()) {
      const tokens = count(item) + (besides?.(index) ?? 0);
      if (tokens > left) break;
      left -= tokens;
      fitting.push(item);
    }
    return fitting;
  }

  /** Returns an item with the first entries of its list; null if none fits. */
  function partOf(item: Data, inner: string): Data | null {
    left -= count({ ...item, [inner]: [] });
    const entries = takeItems(item[inner] as readonly unknown[]);
    return entries.length === 0 ? null : { ...item, [inner]: entries };
  }
}

/** Returns the number of items, or of those within them. */
function sizeOf(items: readonly unknown[], inner: string | undefined): number {
  if (inner === undefined) return items.length;
  return items.reduce<number>((sum, item) => sum + ((item as Data)[inner] as unknown[]).length, 0);
}
