import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { AuditEventList, AuditEventView, PolicyView, SourceList } from '#contracts/http/index';

import { shortVersion } from '../logic/citation-text.js';
import { type Route, routeFragment } from '../logic/route.js';
import { call } from './api.js';
import { goTo, useLoad } from './hooks.js';
import { ErrorBox, Loading, When } from './parts.js';
import { Settings } from './receipt.js';
import { StatusBadge } from './sources.js';

const MOST_SOURCES = 100;
const SEARCHES = 10;

/** Policy, sources and searches of a moment of the past. The slider moves along the records. */
export function AsOf({ route }: { readonly route: Route }): JSX.Element {
  const seq = route.params['as_of'];
  const [isOpen, setOpen] = useState(seq !== undefined);
  return (
    <details class="box" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>State at an earlier time</summary>
      {isOpen && <Slider route={route} chosen={seq} />}
    </details>
  );
}

function Slider({
  route,
  chosen,
}: {
  readonly route: Route;
  readonly chosen: string | undefined;
}): JSX.Element {
  const head = useLoad('newest record', (signal) =>
    call<AuditEventList>('GET', 'audit/events?order=desc&limit=1', { signal }),
  );
  const last = head.data?.events[0]?.seq;
  const seq = Math.min(Number(chosen ?? last ?? 0) || 0, last ?? 0);
  const [moving, setMoving] = useState<number | null>(null);
  if (head.error) return <ErrorBox error={head.error} onRetry={head.reload} />;
  if (last === undefined) return <Loading label="Loading the trail…" />;
  return (
    <>
      <label class="field">
        <span>After record no. {moving ?? seq}</span>
        <input
          type="range"
          min={0}
          max={last}
          value={moving ?? seq}
          onInput={(event) => setMoving(Number(event.currentTarget.value))}
          onChange={(event) => {
            setMoving(null);
            goTo(['audit'], { ...route.params, as_of: event.currentTarget.value });
          }}
        />
      </label>
      <State seq={seq} />
    </>
  );
}

function State({ seq }: { readonly seq: number }): JSX.Element {
  const { data, error, reload } = useLoad(`state ${seq}`, async (signal) => {
    const at = `as_of_seq=${seq}`;
    const [policy, sources, record, searches] = await Promise.all([
      call<PolicyView>('GET', `policy?${at}`, { signal }),
      call<SourceList>('GET', `sources?limit=${MOST_SOURCES}&${at}`, { signal }),
      call<AuditEventList>('GET', `audit/events?order=desc&after=${seq + 1}&limit=1`, { signal }),
      call<AuditEventList>(
        'GET',
        `audit/events?category=search&order=desc&after=${seq + 1}&limit=${SEARCHES}`,
        { signal },
      ),
    ]);
    return {
      policy,
      sources,
      record: record.events[0],
      searches: answeredSearches(searches.events),
    };
  });
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Loading that moment…" />;
  const { policy, sources, record, searches } = data;
  return (
    <div role="group" aria-label={`State after record ${seq}`}>
      {record && (
        <p>
          <strong>{record.action}</strong>, <When time={record.recorded_at} />
        </p>
      )}
      <h2>Policy</h2>
      <Settings policy={policy} />
      <h2>Sources ({sources.total})</h2>
      {sources.total > sources.sources.length && (
        <p class="meta">The first {sources.sources.length} are shown.</p>
      )}
      <ul class="history">
        {sources.sources.map((source) => (
          <li key={source.id}>
            {source.name} <StatusBadge source={source} />{' '}
            {source.version_ref !== null && <code>{shortVersion(source.version_ref)}</code>}
          </li>
        ))}
      </ul>
      {searches.length > 0 && (
        <>
          <h2>Searches until then</h2>
          <ul>
            {searches.map(({ receiptId, time }) => (
              <li key={receiptId}>
                <When time={time} />{' '}
                <a href={routeFragment(['receipts', receiptId])}>receipt and replay</a>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** Returns the receipts of searches. A research job is charged as one, but has its own receipt. */
function answeredSearches(events: readonly AuditEventView[]) {
  return events.flatMap(({ action, targets, recorded_at: time }) => {
    const isResearch = targets.some(({ type, id }) => type === 'quota' && id === 'rover');
    const receipt = targets.find(({ type }) => type === 'receipt');
    return action === 'quota.consumed' && receipt && !isResearch
      ? [{ receiptId: receipt.id, time }]
      : [];
  });
}
