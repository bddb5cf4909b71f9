import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { QuotaUsageView, UsageAnalyticsView } from '#contracts/http/index';

import { byteSize } from '../logic/byte-size.js';
import { call } from './api.js';
import { AuditReaders } from './audit-readers.js';
import { useLoad } from './hooks.js';
import { ErrorBox, Loading, PageTitle, When, WideTable } from './parts.js';
import { UsageCharts } from './usage-charts.js';

const DAYS_BACK = 13;

const METRICS: Readonly<Record<string, string>> = {
  requests: 'Requests',
  search: 'Searches',
  chat: 'Chats',
  rover: 'Research',
  sources: 'Sources',
  chunks: 'Passages',
  bytes: 'Indexed text',
};
const WINDOWS: Readonly<Record<string, string>> = {
  minute: 'a\u00a0minute',
  hour: 'an\u00a0hour',
  day: 'a\u00a0day',
  total: 'in\u00a0all',
};

/** The usage of the plan, and of the last days. */
export function UsagePage(): JSX.Element {
  const usage = useLoad('usage', (signal) =>
    call<QuotaUsageView>('GET', 'quota/usage', { signal }),
  );
  return (
    <>
      <PageTitle>Usage</PageTitle>
      {usage.error ? (
        <ErrorBox error={usage.error} onRetry={usage.reload} />
      ) : !usage.data ? (
        <Loading label="Loading usage…" />
      ) : (
        <WideTable of="the plan">
          <caption>Plan {usage.data.plan}</caption>
          <thead>
            <tr>
              <th scope="col">Metric</th>
              <th scope="col">Within</th>
              <th scope="col" class="number">
                Used
              </th>
              <th scope="col" class="number">
                Limit
              </th>
              <th scope="col">Share</th>
              <th scope="col">Free again</th>
            </tr>
          </thead>
          <tbody>
            {usage.data.usage.map((entry) => (
              <tr key={`${entry.metric} ${entry.window}`}>
                <th scope="row">{METRICS[entry.metric] ?? entry.metric}</th>
                <td>{WINDOWS[entry.window] ?? entry.window}</td>
                <td class="number">{amount(entry.metric, entry.used)}</td>
                <td class="number">{amount(entry.metric, entry.limit)}</td>
                <td>
                  <meter min={0} max={entry.limit} value={entry.used} aria-hidden="true" />
                </td>
                <td>{entry.resets_at ? <When time={entry.resets_at} /> : '–'}</td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      )}
      <h2>Last 14 days</h2>
      <AuditReaders what="Counts by day">
        <Days />
      </AuditReaders>
    </>
  );
}

function amount(metric: string, value: number): string {
  return metric === 'bytes' ? byteSize(value) : value.toLocaleString('en');
}

function Days(): JSX.Element {
  const [from] = useState(() => new Date(Date.now() - DAYS_BACK * 86_400_000).toISOString());
  const days = useLoad('usage by day', (signal) => {
    const query = new URLSearchParams({ from, bucket: 'day' });
    return call<UsageAnalyticsView>('GET', `analytics/usage?${query}`, { signal });
  });
  const most = Math.max(1, ...(days.data?.buckets.map((day) => day.search) ?? []));
  return (
    <>
      {days.error ? (
        <ErrorBox error={days.error} onRetry={days.reload} />
      ) : !days.data ? (
        <Loading label="Loading days…" />
      ) : (
        <WideTable of="the last 14 days">
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col" class="number">
                Searches
              </th>
              <th scope="col">
                <span class="hidden">Searches as a bar</span>
              </th>
              <th scope="col" class="number">
                Chats
              </th>
              <th scope="col" class="number">
                Research
              </th>
            </tr>
          </thead>
          <tbody>
            {days.data.buckets.map((day) => (
              <tr key={day.start}>
                <th scope="row">{day.start.slice(0, 10)}</th>
                <td class="number">{day.search}</td>
                <td>
                  <meter min={0} max={most} value={day.search} aria-hidden="true" />
                </td>
                <td class="number">{day.chat}</td>
                <td class="number">{day.rover}</td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      )}
      <UsageCharts from={from} />
    </>
  );
}
