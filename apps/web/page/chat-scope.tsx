import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { ChatStreamBody, SourceList } from '#contracts/http/index';

import { call } from './api.js';
import { EcosystemField } from './ecosystem-field.js';
import { fieldText } from './form-fields.js';
import { useLoad } from './hooks.js';
import { ErrorBox, Field } from './parts.js';
import { SourceOptions } from './source-options.js';

/** Packages that one question may name; source: `ChatStreamBody`. */
const MOST_PACKAGES = 5;

/** Content that answers may use: sources, linked packages, and packages named here. */
export function ChatScope(): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { data, error, reload } = useLoad(isOpen ? 'sources' : null, (signal) =>
    call<SourceList>('GET', 'sources?limit=100', { signal }),
  );
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Content to use</summary>
      {error && <ErrorBox error={error} onRetry={reload} />}
      <div class="row">
        <SourceOptions first={data} isOpen={isOpen} chosen={undefined} />
        <EcosystemField />
        <Field label="Packages" hint={`Up to ${MOST_PACKAGES} names, in their latest versions`}>
          <input name="packages" placeholder="react zod" maxLength={1500} />
        </Field>
      </div>
      <label class="check">
        <input type="checkbox" name="linked" value="1" defaultChecked />
        Linked packages
      </label>
    </details>
  );
}

/** Returns the fields of a question that the scope of its form stands for. */
export function scopeOf(
  form: FormData,
): Pick<ChatStreamBody, 'source_ids' | 'include_global' | 'package_mentions'> {
  const source = fieldText(form, 'source');
  const ecosystem = fieldText(form, 'ecosystem') as 'npm';
  const names = fieldText(form, 'packages')
    .split(/[\s,]+/)
    .filter(Boolean);
  return {
    include_global: form.has('linked'),
    ...(source && { source_ids: [source] }),
    ...(names.length > 0 && {
      package_mentions: names.map((package_name) => ({ package_name, ecosystem })),
    }),
  };
}
