import { TimeSlices } from '../concurrency/time-slices.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_ARRAY, CLOSE_ARRAY] = [0x7b, 0x7d, 0x5b, 0x5d];
/** Bytes after which the scan checks its time slice. */
const CHECK_EVERY = 65_536;

/**
 * Parses the objects in arrays of a large JSON object, in slices of time: `JSON.parse` of the whole
 * would block the event loop. Other values are skipped.
 *
 * @param names keys of the outermost object whose arrays are wanted.
 * @returns the objects by key; an absent key has none.
 * @throws SyntaxError for an object that is no JSON.
 */
export async function jsonArrayItems<Name extends string>(
  bytes: Uint8Array,
  names: readonly Name[],
): Promise<Record<Name, unknown[]>> {
  const items = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    Name,
    unknown[]
  >;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const slices = new TimeSlices();
  let depth = 0;
  let key = '';
  let array: Name | undefined;
  let text: { readonly start: number; readonly end: number } | undefined;
  let itemStart = 0;
  for (let at = 0, checked = 0; at < buffer.length; at += 1) {
    if (at - checked >= CHECK_EVERY) {
      checked = at;
      await slices.pause();
    }
    switch (buffer[at]) {
      case QUOTE: {
        const start = at + 1;
        at = endOfString(buffer, start);
        if (depth === 1) text = { start, end: at };
        break;
      }
      case COLON:
        if (depth === 1 && text) key = buffer.toString('utf8', text.start, text.end);
        break;
      case OPEN_OBJECT:
        if (depth === 2 && array !== undefined) itemStart = at;
        depth += 1;
        break;
      case CLOSE_OBJECT:
        depth -= 1;
        if (depth !== 2 || array === undefined) break;
        items[array].push(JSON.parse(buffer.toString('utf8', itemStart, at + 1)));
        if (slices.isUsedUp) await slices.pause();
        break;
      case OPEN_ARRAY:
        if (depth === 1) array = names.find((name) => name === key);
        depth += 1;
        break;
      case CLOSE_ARRAY:
        depth -= 1;
        if (depth === 1) array = undefined;
        break;
      default:
    }
  }
  return items;
}

/** Returns the index of the quote that ends a string. */
function endOfString(buffer: Buffer, start: number): number {
  for (let at = start; at < buffer.length; at += 1) {
    if (buffer[at] === BACKSLASH) at += 1;
    else if (buffer[at] === QUOTE) return at;
  }
  return buffer.length;
}
