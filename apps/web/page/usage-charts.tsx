import type { JSX } from 'preact';

import type {
  JobsAnalyticsView,
  NoEvidenceAnalyticsView,
  StaleHitsAnalyticsView,
} from '#contracts/http/index';

import { call } from './api.js';
import { BarChart } from './bar-chart.js';
import { useLoad } from './hooks.js';
import { ErrorBox, Loading } from './parts.js';

/** Charts over the last days: searches without evidence, with stale results, and syncs. */
export function UsageCharts({ from }: { readonly from: string }): JSX.Element {
  const query = new URLSearchParams({ from, bucket: 'day' });
  const { data, error, reload } = useLoad(`charts ${from.slice(0, 10)}`, async (signal) => {
    const [empty, stale, jobs] = await Promise.all([
      call<NoEvidenceAnalyticsView>('GET', `analytics/no-evidence?${query}`, { signal }),
      call<StaleHitsAnalyticsView>('GET', `analytics/stale-hits?${query}`, { signal }),
      call<JobsAnalyticsView>('GET', `analytics/jobs?${query}`, { signal }),
    ]);
    return { empty: empty.buckets, stale: stale.buckets, jobs: jobs.buckets };
  });
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Loading charts…" />;
  const day = ({ start }: { readonly start: string }) => start.slice(0, 10);
  return (
    <>
      <BarChart
        title="Searches without evidence"
        series={['Searches', 'Without evidence']}
        rows={data.empty.map((each) => [day(each), each.searches, each.no_evidence])}
      />
      <BarChart
        title="Searches with stale results"
        series={['Searches', 'With stale results']}
        rows={data.stale.map((each) => [day(each), each.searches, each.stale_searches])}
      />
      <BarChart
        title="Syncs"
        series={['Completed', 'Failed']}
        rows={data.jobs.map((each) => [day(each), each.completed, each.failed])}
      />
    </>
  );
}
