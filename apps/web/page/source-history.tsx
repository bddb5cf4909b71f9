import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type {
  SourceDiffView,
  SourceHistoryEntryView,
  SourceHistoryList,
} from '#contracts/http/index';

import { shortVersion } from '../logic/citation-text.js';
import { counted } from '../logic/counted.js';
import { exactTime } from '../logic/relative-time.js';
import { call } from './api.js';
import { HistoryEntries } from './changes.js';
import { useLoad } from './hooks.js';
import { Pager } from './pager.js';
import { Badge, ErrorBox, Field, Loading } from './parts.js';

const PAGE = 20;
const TONES = { added: 'good', changed: 'warn', removed: 'bad' } as const;

/** The changes of a source, and the files that differ between two of its versions. */
export function SourceHistory({ id }: { readonly id: string }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { data, error, reload } = useLoad(isOpen ? `history ${id}` : null, (signal) =>
    call<SourceHistoryList>('GET', `sources/${id}/history?order=desc&limit=100`, { signal }),
  );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>History and versions</summary>
      {error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !data ? (
        <Loading label="Loading the history…" />
      ) : (
        <>
          <Compare id={id} versions={publishedVersions(data.entries)} />
          <HistoryEntries entries={data.entries} />
          {data.next !== null && (
            <p class="meta">The newest 100 changes are shown; the audit trail has all.</p>
          )}
        </>
      )}
    </details>
  );
}

interface Version {
  readonly generation: number;
  readonly title: string;
}

/** Returns the versions that were published, newest first. */
function publishedVersions(entries: readonly SourceHistoryEntryView[]): readonly Version[] {
  return entries.flatMap(({ generation, version_ref: version, recorded_at: time }) =>
    generation === null || version === null
      ? []
      : [
          {
            generation,
            title: `${shortVersion(version)}, ${exactTime(time)}`,
          },
        ],
  );
}

function Compare({
  id,
  versions,
}: {
  readonly id: string;
  readonly versions: readonly Version[];
}): JSX.Element {
  const [newest, before] = versions;
  const [chosen, setChosen] = useState({ from: before?.generation, to: newest?.generation });
  const [skip, setSkip] = useState(0);
  const { from, to } = chosen;
  const isReady = from !== undefined && to !== undefined && from !== to;
  const query = `from=${from}&to=${to}&skip=${skip}&limit=${PAGE}`;
  const { data, error, reload } = useLoad(isReady ? `diff ${id} ${query}` : null, (signal) =>
    call<SourceDiffView>('GET', `sources/${id}/diff?${query}`, { signal }),
  );
  if (versions.length < 2) return <p class="meta">One version is known; nothing to compare.</p>;
  const choice = (name: 'from' | 'to', label: string) => (
    <Field label={label}>
      <select
        value={String(chosen[name])}
        onChange={(event) => {
          setSkip(0);
          setChosen({ ...chosen, [name]: Number(event.currentTarget.value) });
        }}
      >
        {versions.map(({ generation, title }) => (
          <option key={generation} value={String(generation)}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
  return (
    <section aria-label="Compare versions">
      <div class="row">
        {choice('from', 'Compare')}
        {choice('to', 'With')}
      </div>
      {!isReady ? (
        <p class="meta">Choose two different versions.</p>
      ) : error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !data ? (
        <Loading label="Comparing…" />
      ) : (
        <>
          <p role="status">
            {counted(data.added, 'file')} added, {data.changed} changed, {data.removed} removed
          </p>
          <ul class="history">
            {data.files.map((file) => (
              <li key={file.path}>
                <Badge tone={TONES[file.change]}>{file.change}</Badge> {file.path}
                {file.symbols.length > 0 && (
                  <p class="meta">
                    {file.symbols.map(({ symbol, change }) => `${symbol} ${change}`).join(', ')}
                    {file.truncated && ' and more'}
                  </p>
                )}
              </li>
            ))}
          </ul>
          <Pager
            skip={skip}
            size={PAGE}
            total={data.added + data.changed + data.removed}
            onSkip={setSkip}
          />
        </>
      )}
    </section>
  );
}
