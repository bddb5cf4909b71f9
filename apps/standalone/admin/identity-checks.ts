import type { ClassifiedStore, OtherLogError, Places, Standing } from '#engines';

import type { DoctorCheck } from './doctor-check.js';
import type { DoctorReport } from './doctor-operation.js';

/** Returns the identity of the log, and for each store whether it belongs to it. */
export function identityChecks(
  { log, stores, refused }: Standing,
  places: Places,
): readonly DoctorCheck[] {
  const rows = stores.map((store): DoctorCheck => {
    const { title, place } = places(store.store);
    const state = refused.includes(store) ? 'failed' : store.state === 'same' ? 'ok' : 'warning';
    return { name: `log of the ${title}`, state, detail: `${saying(store)} (${place})` };
  });
  const { title, place } = places('eventStore');
  const state = log === null && refused.length > 0 ? 'failed' : 'ok';
  return [
    { name: `identity of the ${title}`, state, detail: `${log ?? 'empty'} (${place})` },
    ...rows,
  ];
}

/** Returns the report with further checks at its end. */
export function withChecks(
  { checks }: DoctorReport,
  further: readonly DoctorCheck[],
): DoctorReport {
  const all = [...checks, ...further];
  return { ok: all.every(({ state }) => state !== 'failed'), checks: all };
}

/**
 * Returns the report if log and stores do not belong together: nothing further is opened, and
 * nothing changed.
 */
export function refusedReport(error: OtherLogError, places: Places): DoctorReport {
  const start: DoctorCheck = { name: 'start', state: 'failed', detail: error.message };
  return { ok: false, checks: [...identityChecks(error.standing, places), start] };
}

function saying({ state, boundTo }: ClassifiedStore): string {
  switch (state) {
    case 'same':
      return 'the same';
    case 'foreign':
      return `another, ${boundTo}`;
    case 'new':
      return 'none yet, and empty';
    case 'unbound':
      return 'none yet, and not empty';
  }
}
