import type { ComponentChildren, JSX } from 'preact';

import type { AuditEventView, HistoryList } from '#contracts/http/index';

import type { ShownSetting } from '../logic/policy-settings.js';
import { When } from './parts.js';

/** Recorded changes of one thing, each with its actor and its fields. */
export function HistoryEntries<Entry extends HistoryList['entries'][number]>({
  entries,
  actions,
  settingOf,
}: {
  readonly entries: readonly Entry[];
  /** As of {@link Changes}. */
  readonly settingOf?: (field: string) => ShownSetting | null;
  /** Returns what a reader can do about an entry, by its index. */
  readonly actions?: (entry: Entry, index: number) => JSX.Element | null;
}): JSX.Element {
  return (
    <ul class="history">
      {entries.map((entry, index) => (
        <li key={entry.id}>
          <strong>{entry.action}</strong> by {entry.actor.name ?? entry.actor.type},{' '}
          <When time={entry.occurred_at} />
          <Changes changes={entry.changes} {...(settingOf && { settingOf })} />
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
  settingOf = () => null,
}: {
  readonly changes: AuditEventView['changes'];
  /** Titles of the two columns of values. */
  readonly titles?: readonly [string, string];
  /** Returns how a field is shown. Default: by its name in the record, as the value is stored. */
  readonly settingOf?: (field: string) => ShownSetting | null;
}): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <table class="changes">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">{before}</th>
          <th scope="col">{after}</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before: old, after: now }) => {
          const setting = settingOf(field);
          return (
            <tr key={field}>
              <th scope="row">{setting?.name ?? breakable(field)}</th>
              <td>{setting ? setting.value(old) : <code>{shown(old)}</code>}</td>
              <td>{setting ? setting.value(now) : <code>{shown(now)}</code>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A name that may wrap after each of its parts, never within one. */
function breakable(field: string): ComponentChildren {
  return field.split(/(?<=[._])/).flatMap((part, index) => (index > 0 ? [<wbr />, part] : [part]));
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '–';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}
