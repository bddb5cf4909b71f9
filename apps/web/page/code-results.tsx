import type { JSX } from 'preact';

import type { CodeSearchResponseView } from '#contracts/http/index';

import { shortVersion } from '../logic/citation-text.js';
import { counted } from '../logic/counted.js';
import { markRanges } from '../logic/mark-ranges.js';
import { paneParams } from '../logic/pane-params.js';
import { type Route, routeFragment } from '../logic/route.js';
import { filtersOf } from '../logic/search-filters.js';
import { useAnnouncement } from './announcer.js';
import { callWithReceipt } from './api.js';
import { useLoad } from './hooks.js';
import { Badge, ErrorBox, Loading } from './parts.js';
import { ReplayButton } from './replay-button.js';

/** Reasons of an incomplete list, each with a way on. */
const ADVICE = {
  limit: 'More lines match: see further lines, or narrow the search by a filter.',
  deadline: 'Time ran out: narrow the search by a filter.',
  content_missing: 'Content of a source is lost: sync the source again.',
  blank_lines:
    'The pattern matches blank lines, and not all of them are indexed: add a character that each line has.',
} as const;

/** Lines that contain a text or match a regular expression, by file. */
export function CodeResults({ route }: { readonly route: Route }): JSX.Element {
  const { q, mode, cursor } = route.params;
  const body = {
    pattern: q,
    regex: mode === 'regex',
    limit: 100,
    ...(cursor && { cursor }),
    ...filtersOf(route),
  };
  const found = useLoad(JSON.stringify(body), (signal) =>
    callWithReceipt<CodeSearchResponseView>('POST', 'search/code', { body, signal }),
  );
  const { error, isLoading, reload } = found;
  const { answer: data, receiptId = null } = found.data ?? {};
  useAnnouncement(isLoading ? 'Searching' : data ? `${counted(data.count, 'line')} found` : null);
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Searching…" />;
  return (
    <div aria-busy={isLoading}>
      <p class="summary">
        {data.complete ? '' : 'At least '}
        {counted(data.count, 'line')} in {counted(data.files.length, 'file')}
        <span class="meta"> · {data.documents_examined} documents examined</span>
      </p>
      {!data.complete && (
        <div class="box warn">
          The list is not complete. {data.incomplete_reason && ADVICE[data.incomplete_reason]}
        </div>
      )}
      {[...data.warnings, ...data.hints].map((text) => (
        <div class="box warn" key={text}>
          {text}
        </div>
      ))}
      <ol class="files">
        {data.files.map((file) => (
          <li class="file" key={`${file.source_id} ${file.path}`}>
            <h2>
              <span class="source">{file.source_name}</span> {file.path}
            </h2>
            <p class="meta">
              {shortVersion(file.version_ref)} {file.is_stale && <Badge tone="warn">stale</Badge>}
            </p>
            <ul class="lines">
              {file.lines.map((line) => (
                <li key={line.number}>
                  <a
                    data-result
                    href={routeFragment(['search'], {
                      ...route.params,
                      ...paneParams({ ...file, start_line: line.number, end_line: line.number }),
                    })}
                  >
                    {line.number}
                  </a>{' '}
                  <span>
                    <code>
                      {markRanges(line.text, line.ranges).map(({ text, isMatch }, at) =>
                        isMatch ? <mark key={at}>{text}</mark> : text,
                      )}
                      {line.clipped && '…'}
                    </code>{' '}
                    {line.symbol !== undefined && <span class="meta">in {line.symbol}</span>}
                  </span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
      {(cursor !== undefined || data.next_cursor !== undefined) && (
        <nav class="row" aria-label="Pages of the list">
          {cursor !== undefined && (
            <a
              class="button"
              href={routeFragment(['search'], { ...route.params, cursor: undefined })}
            >
              First lines
            </a>
          )}
          {data.next_cursor !== undefined && (
            <a
              class="button"
              href={routeFragment(['search'], { ...route.params, cursor: data.next_cursor })}
            >
              Further lines
            </a>
          )}
        </nav>
      )}
      {receiptId !== null && <ReplayButton receiptId={receiptId} />}
    </div>
  );
}
