import type { LogId } from '#platform';

import type { ClassifiedStore, Standing } from './classify-stores.js';
import type { Places, StorePlace } from './stores.js';

/** Log and stores do not belong together. Nothing was written, removed or collected. */
export class OtherLogError extends Error {
  readonly code = 'other_log';

  constructor(
    message: string,
    /** The state that was found. */
    readonly standing: Standing,
  ) {
    super(message);
    this.name = 'OtherLogError';
  }
}

/**
 * Returns the error in one sentence: the state found, the state expected, the variables and what to
 * do. It contains no address.
 * @param culprits the stores that violate the rule.
 */
export function otherLog(
  standing: Standing,
  culprits: readonly ClassifiedStore[],
  places: Places,
  dataDir: string,
): OtherLogError {
  const { log } = standing;
  const groups = [...byLog(culprits)].map(([id, stores]) => {
    const who = list(stores.map(({ store }) => named(places(store))));
    const plural = stores.length > 1 || stores.some(({ store }) => store === 'readModel');
    if (id === null && log === null) return `${who} ${plural ? 'are' : 'is'} not empty`;
    if (id === null) return `${who} ${plural ? 'belong' : 'belongs'} to no log yet`;
    return `${who} ${plural ? 'belong' : 'belongs'} to log ${id}`;
  });
  const all = ['eventStore' as const, ...culprits.map(({ store }) => store)];
  const variables = [...new Set(all.flatMap((name) => places(name).variables))].map((variable) =>
    variable === 'DATA_DIR' ? `DATA_DIR (${dataDir})` : variable,
  );
  const found = `The ${named(places('eventStore'))} is ${log === null ? 'empty' : `log ${log}`}, but ${list(groups)}`;
  return new OtherLogError(
    `${found}; nothing was changed: put the right log back, or correct ${list(variables, 'or')}, ` +
      'or run `npm run adopt` to bind them to the log that is there.',
    standing,
  );
}

/**
 * Returns the error for a key ring that is missing or empty although the log has, or may have, text
 * that only its keys open.
 */
export function lostKeyRing(
  { log, stores }: Standing,
  places: Places,
  embedded: boolean,
): OtherLogError {
  const ring = places('keyRing');
  const what = embedded
    ? `put the folder ${ring.place} back, which key-ring.json of a backup also has`
    : `put the rows of keyring.data_keys back from a dump of the schema keyring (${ring.place})`;
  return new OtherLogError(
    `The ${named(ring)} is missing or empty, but the ${named(places('eventStore'))} is log ${log}, whose sealed texts nothing ` +
      `else opens; nothing was changed: ${what}, or run \`npm run adopt\` to begin a new one and go on without those texts.`,
    { log, stores, refused: stores.filter(({ store }) => store === 'keyRing') },
  );
}

function named({ title, place }: StorePlace): string {
  return `${title} (${place})`;
}

function byLog(stores: readonly ClassifiedStore[]): Map<LogId | null, ClassifiedStore[]> {
  const groups = new Map<LogId | null, ClassifiedStore[]>();
  for (const store of stores)
    groups.set(store.boundTo, [...(groups.get(store.boundTo) ?? []), store]);
  return groups;
}

function list(parts: readonly string[], conjunction = 'and'): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} ${conjunction} ${parts.at(-1)}`;
}
