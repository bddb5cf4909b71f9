import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { SourceFileView, SourceOutlineView } from '#contracts/http/index';

import { shortVersion } from '../logic/citation-text.js';
import { counted } from '../logic/counted.js';
import type { Identifier } from '../logic/identifiers.js';
import { blockOf, LINES_PER_BLOCK } from '../logic/line-blocks.js';
import { type Route, routeFragment } from '../logic/route.js';
import { call } from './api.js';
import { CodeLinks } from './code-links.js';
import { goTo, useLoad } from './hooks.js';
import { ErrorBox, Loading } from './parts.js';
import { SourceLines } from './source-lines.js';

/** The file of a citation at the cited version, at the cited lines. */
export function ReadingPane({
  route,
  terms,
}: {
  readonly route: Route;
  readonly terms: readonly string[];
}): JSX.Element {
  const { open: sourceId = '', file = '', version = '', from, to } = route.params;
  const path = from === undefined ? file.replace(/#.*$/, '') : file;
  const first = Number(from ?? 1) || 1;
  const last = Number(to ?? from ?? 1) || first;
  const [looked, setLooked] = useState<Identifier | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const pane = useRef<HTMLElement>(null);
  useReturnOfFocus(pane);
  const document = `${sourceId} ${path} ${version}`;
  useEffect(() => setLooked(null), [document]);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [document, first, last]);
  const close = () => {
    const kept = ['q', 'mode', 'source', 'path', 'language', 'fresh', 'cursor', 'conversation'];
    goTo(route.path, Object.fromEntries(kept.map((name) => [name, route.params[name]])));
  };
  return (
    <aside
      class="pane"
      aria-label="Reading pane"
      ref={pane}
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div class="row pane-head">
        <h2 ref={heading} tabIndex={-1}>
          {path}
        </h2>
        <button type="button" class="small" onClick={close}>
          Close
        </button>
      </div>
      <Document
        key={document}
        {...{ route, sourceId, path, version, first, last, terms, looked }}
        isCited={from !== undefined}
        onLook={setLooked}
      />
    </aside>
  );
}

function Document({
  route,
  sourceId,
  path,
  version,
  first,
  last,
  isCited,
  terms,
  looked,
  onLook,
}: {
  readonly route: Route;
  readonly sourceId: string;
  readonly path: string;
  readonly version: string;
  readonly first: number;
  readonly last: number;
  readonly isCited: boolean;
  readonly terms: readonly string[];
  readonly looked: Identifier | null;
  readonly onLook: (identifier: Identifier) => void;
}): JSX.Element {
  const load = (block: number, signal: AbortSignal) => {
    const query = new URLSearchParams({
      path,
      ...(version && { version_ref: version }),
      from_line: String(block * LINES_PER_BLOCK + 1),
      to_line: String((block + 1) * LINES_PER_BLOCK),
    });
    return call<SourceFileView>('GET', `sources/${sourceId}/files?${query}`, { signal });
  };
  // The block is chosen once: other places of the document load as they come into view.
  const [start] = useState(blockOf(first));
  const { data, error, reload } = useLoad(`${start}`, (signal) => load(start, signal));
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Loading the file…" />;
  return (
    <>
      <p class="meta">
        Version <code>{shortVersion(version)}</code> · {data.total_lines} lines
        {!data.exact && ` · differs from the fetched file: ${data.differences.join(', ')}`}
      </p>
      <Outline route={route} sourceId={sourceId} path={path} version={version} />
      <CodeLinks {...{ route, sourceId, path, version, looked, onLook }} near={data} />
      <SourceLines
        {...{ path, first, last, isCited, terms, load, onLook }}
        total={data.total_lines}
        start={start}
        lines={data.lines}
      />
    </>
  );
}

/** Returns the focus to the element that had it when the pane opened, once the pane is closed. */
function useReturnOfFocus(pane: { readonly current: HTMLElement | null }): void {
  const [opener] = useState(() => window.document.activeElement);
  // While the pane is still in the page: a later clean-up would find its focus lost.
  useLayoutEffect(
    () => () => {
      const { activeElement, body } = window.document;
      const isWithin = activeElement === body || pane.current?.contains(activeElement);
      if (isWithin && opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
    [],
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
}): JSX.Element {
  const query = new URLSearchParams({ path, version_ref: version, limit: '100' });
  const { data, error, reload } = useLoad(`${sourceId}?${query}`, (signal) =>
    call<SourceOutlineView>('GET', `sources/${sourceId}/outline?${query}`, { signal }),
  );
  // Its line is there from the start: the cited lines below must not move when it arrives.
  return (
    <details>
      <summary>Outline{data && ` (${counted(data.total, 'definition')})`}</summary>
      {error && <ErrorBox error={error} onRetry={reload} />}
      {data?.total === 0 && <p class="meta">This file has no definitions.</p>}
      <ul class="outline">
        {data?.definitions.map(({ symbol, start_line, end_line }) => (
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
