import type { JSX } from 'preact';

import type { AuditEventView, HistoryList } from '#contracts/http/index';

import { When } from './parts.js';

/** Recorded changes of one thing, each with its actor and its fields. */
export function HistoryEntries<Entry extends HistoryList['entries'][number]>({
  entries,
  actions,
}: {
  readonly entries: readonly Entry[];
  /** Returns what a reader can do about an entry, by its index. */
  readonly actions?: (entry: Entry, index: number) => JSX.Element | null;
}): JSX.Element {
  return (
    <ul class="history">
      {entries.map((entry, index) => (
        <li key={entry.id}>
          <strong>{entry.action}</strong> by {entry.actor.name ?? entry.actor.type},{' '}
          <When time={entry.occurred_at} />
          <Changes changes={entry.changes} />
          {actions?.(entry, index)}
        </li>
      ))}
    </ul>
  );
}

/** Changed fields with their values before and after. */
export function Changes({
  changes,
  titles: [before, after] = ['Before', 'After'],
}: {
  readonly changes: AuditEventView['changes'];
  /** Titles of the two columns of values. */
  readonly titles?: readonly [string, string];
}): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map((change) => (
          <tr key={change.field}>
            <th scope="row">{change.field}</th>
            <td>
              <code>{shown(change.before)}</code>
            </td>
            <td>
              <code>{shown(change.after)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
