import type { JSX } from 'preact';

import type { AuditEventView } from '#contracts/http/index';

/** Changed fields with their values before and after. */
export function Changes({
  changes,
}: {
  readonly changes: AuditEventView['changes'];
}): JSX.Element | null {
  if (changes.length === 0) return null;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{field}</th>
            <td>
              <code>{shown(before)}</code>
            </td>
            <td>
              <code>{shown(after)}</code>
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
