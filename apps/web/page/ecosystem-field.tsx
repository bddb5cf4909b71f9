import type { JSX } from 'preact';

import { Field } from './parts.js';

/** Registries whose packages can be searched and linked. */
export const ECOSYSTEMS = ['npm', 'pypi', 'cargo', 'maven', 'go'] as const;

/** The choice of a registry. */
export function EcosystemField({ value }: { readonly value?: string | undefined }): JSX.Element {
  return (
    <Field label="Registry">
      <select name="ecosystem">
        {ECOSYSTEMS.map((each) => (
          <option key={each} selected={each === value}>
            {each}
          </option>
        ))}
      </select>
    </Field>
  );
}
