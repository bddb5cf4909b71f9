/** Name of a part that is in its listing: this and its index. */
const SMALL = 'small:';
/** Name of a part that a stage passed on as the fetch stage wrote it: this and its blob. */
const RAW = 'raw:';

/** Returns the name of the small part with this index in its listing. */
export function smallPart(index: number): string {
  return `${SMALL}${index}`;
}

/** Returns the index of a small part in its listing; null for a blob. */
export function smallIndex(name: string): number | null {
  return name.startsWith(SMALL) ? Number(name.slice(SMALL.length)) : null;
}

/**
 * Returns the name by which the listing of a later stage refers to a raw part. Versions that do not
 * know such names find no such blob. They start again with the fetch stage, and never take raw
 * bytes for parsed text.
 */
export function rawPart(name: string): string {
  return `${RAW}${name}`;
}

/** Returns the name of the blob of a raw part; null for a part of the stage before. */
export function rawBlob(name: string): string | null {
  return name.startsWith(RAW) ? name.slice(RAW.length) : null;
}
