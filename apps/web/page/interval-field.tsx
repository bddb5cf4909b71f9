import type { JSX } from 'preact';

import { Field } from './parts.js';

const INTERVALS = [
  [0, 'On request only'],
  [3_600, 'Hour'],
  [86_400, 'Day'],
  [604_800, 'Week'],
] as const;

/** The choice of the time between syncs, as the field `interval` of a form. */
export function IntervalField({ seconds = 0 }: { readonly seconds?: number }): JSX.Element {
  const isListed = INTERVALS.some(([each]) => each === seconds);
  return (
    <Field label="Sync every">
      <select name="interval">
        {!isListed && (
          <option value={seconds} selected>
            {seconds.toLocaleString('en')} seconds
          </option>
        )}
        {INTERVALS.map(([each, title]) => (
          <option key={each} value={each} selected={each === seconds}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}
