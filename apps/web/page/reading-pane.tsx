import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { SourceFileView, SourceOutlineView } from '#contracts/http/index';

import { shortVersion } from '../logic/citation-text.js';
import { type Route, routeFragment } from '../logic/route.js';
import { call } from './api.js';
import { goTo, useLoad } from './hooks.js';
import { MarkedText } from './marked-text.js';
import { ErrorBox, Loading } from './parts.js';

const AROUND = 40;
const MORE = 200;

/** The cited lines within their file, at the cited version. */
export function ReadingPane({
  route,
  terms,
}: {
  readonly route: Route;
  readonly terms: readonly string[];
}): JSX.Element {
  const { open: sourceId = '', file = '', version = '', from, to } = route.params;
  const path = from === undefined ? file.replace(/#.*$/, '') : file;
  const first = Number(from ?? 1);
  const last = Number(to ?? from ?? 1);
  const place = `${sourceId} ${path} ${version} ${first} ${last}`;
  const [range, setRange] = useState({ place, start: first - AROUND, end: last + AROUND });
  const shown =
    range.place === place ? range : { place, start: first - AROUND, end: last + AROUND };
  const start = Math.max(1, shown.start);
  const end = Math.min(shown.end, start + 1_999);
  const query = new URLSearchParams({
    path,
    version_ref: version,
    from_line: String(start),
    to_line: String(end),
  });
  const { data, error, reload } = useLoad(`${sourceId}?${query}`, (signal) =>
    call<SourceFileView>('GET', `sources/${sourceId}/files?${query}`, { signal }),
  );
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [place]);
  useEffect(() => {
    document.querySelector('.pane .cited')?.scrollIntoView({ block: 'center' });
  }, [place, data === undefined]);
  const close = () => {
    const kept = ['q', 'mode', 'source', 'path', 'language', 'fresh', 'conversation'];
    goTo(route.path, Object.fromEntries(kept.map((name) => [name, route.params[name]])));
  };
  return (
    <aside class="pane" aria-label="Reading pane">
      <div class="row">
        <h2 ref={heading} tabIndex={-1}>
          {path}
        </h2>
        <button type="button" class="small" onClick={close}>
          Close
        </button>
      </div>
      <p class="meta">
        Version <code>{shortVersion(version)}</code>
        {data && ` · ${data.total_lines} lines`}
        {data && !data.exact && ` · differs from the fetched file: ${data.differences.join(', ')}`}
      </p>
      {error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !data ? (
        <Loading label="Loading the file…" />
      ) : (
        <>
          <Outline route={route} sourceId={sourceId} path={path} version={version} />
          {data.from_line > 1 && (
            <button
              type="button"
              class="small"
              onClick={() => setRange({ place, start: start - MORE, end })}
            >
              Show lines above
            </button>
          )}
          <pre class="source-text" tabIndex={0} aria-label={`Lines of ${path}`}>
            {data.lines.map((line, index) => {
              const number = data.from_line + index;
              const isCited = from !== undefined && number >= first && number <= last;
              return (
                <span key={number} class={isCited ? 'line cited' : 'line'}>
                  <span class="gutter" aria-hidden="true">
                    {number}
                  </span>
                  <MarkedText text={`${line}\n`} terms={terms} />
                </span>
              );
            })}
          </pre>
          {data.next_line !== null && (
            <button
              type="button"
              class="small"
              onClick={() => setRange({ place, start, end: end + MORE })}
            >
              Show lines below
            </button>
          )}
        </>
      )}
    </aside>
  );
}

function Outline({
  route,
  sourceId,
  path,
  version,
}: {
  readonly route: Route;
  readonly sourceId: string;
  readonly path: string;
  readonly version: string;
}): JSX.Element | null {
  const query = new URLSearchParams({ path, version_ref: version, limit: '100' });
  const { data } = useLoad(`${sourceId}?${query}`, (signal) =>
    call<SourceOutlineView>('GET', `sources/${sourceId}/outline?${query}`, { signal }),
  );
  if (!data || data.total === 0) return null;
  return (
    <details>
      <summary>Outline ({data.total} definitions)</summary>
      <ul class="outline">
        {data.definitions.map(({ symbol, start_line, end_line }) => (
          <li key={`${symbol} ${start_line}`}>
            <a
              href={routeFragment(route.path, { ...route.params, from: start_line, to: end_line })}
            >
              {symbol}
            </a>{' '}
            <span class="meta">{start_line}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
