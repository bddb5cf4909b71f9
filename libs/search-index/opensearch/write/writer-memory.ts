import { LRUCache } from 'lru-cache';

import { keyOfRow, rowId } from '../chunk-row.js';
import { KeyList } from './key-list.js';
import type { SourceRecord } from '../source-records.js';

interface Remembered {
  /** Number of the last change that left the rows of the generation as they are. */
  readonly change: number;
  readonly generation: number;
  readonly keys: KeyList;
  readonly froms: Uint32Array;
}

/**
 * The rows of each source's newest generation as this process left them, so that the next one is compared without listing
 * them. It holds as long as the source's record says that nobody else has changed anything.
 */
export class RememberedRows {
  private readonly kept: LRUCache<string, Remembered>;

  /** @param maxBytes in memory; 28 a row */
  constructor(maxBytes: number) {
    const sizeCalculation = ({ keys, froms }: Remembered): number => keys.byteLength + froms.byteLength + 1;
    this.kept = new LRUCache({ maxSize: maxBytes, sizeCalculation });
  }

  /** @param ids of exactly the rows that are visible at the generation after the record's change */
  remember(record: SourceRecord, generation: number, ids: readonly string[]): void {
    const keys = new KeyList(ids.length);
    const froms = new Uint32Array(ids.length);
    for (const [at, id] of ids.entries()) {
      const key = keyOfRow(id);
      keys.set(at, key);
      froms[at] = Number(id.slice(key.length + 1));
    }
    this.kept.set(nameOf(record), { change: record.change, generation, keys, froms });
  }

  /** The ids of the rows that are visible at a generation; undefined where they are not known. */
  recall(record: SourceRecord, generation: number): Iterable<string> | undefined {
    const known = this.kept.get(nameOf(record));
    return known?.change === record.change && known.generation === generation ? idsOf(known) : undefined;
  }

  /** To be called when this process took a change number for something that leaves visible rows alone. */
  moved(record: SourceRecord, before: number): void {
    const known = this.kept.get(nameOf(record));
    if (known?.change === before) this.kept.set(nameOf(record), { ...known, change: record.change });
  }

  /** To be called before rows are changed: half-way they are as nobody knows. */
  forget(record: SourceRecord): void {
    this.kept.delete(nameOf(record));
  }
}

function* idsOf({ keys, froms }: Remembered): Iterable<string> {
  for (const [at, from] of froms.entries()) {
    yield rowId(keys.at(at), from);
  }
}

function nameOf({ tenant_id, source_id }: SourceRecord): string {
  return `${tenant_id}/${source_id}`;
}
