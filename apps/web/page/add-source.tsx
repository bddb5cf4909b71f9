import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { SourceView } from '#contracts/http/index';

import { sourceName, sourceUrlProblem } from '../logic/source-url.js';
import { type ApiError, call } from './api.js';
import { fieldText } from './form-fields.js';
import { asApiError } from './hooks.js';
import { IntervalField } from './interval-field.js';
import { ErrorBox, Field } from './parts.js';

/** The form for a new source; the first sync starts at once. Credentials are never shown again. */
export function AddSource({
  isFirst,
  onAdded,
}: {
  readonly isFirst: boolean;
  readonly onAdded: (id: string) => void;
}): JSX.Element {
  const [kind, setKind] = useState('repo');
  const [url, setUrl] = useState('');
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setBusy(true);
    setError(null);
    try {
      const source = await call<SourceView>('POST', 'sources', { body: sourceBody(form) });
      await call('POST', `sources/${source.id}/sync`);
      onAdded(source.id);
    } catch (failure) {
      setError(asApiError(failure));
    } finally {
      setBusy(false);
    }
  };
  const problem = sourceUrlProblem(kind, url);
  return (
    <details class="box" open={isFirst}>
      <summary>Add a source</summary>
      <form onSubmit={(event) => void submit(event)}>
        <div class="row">
          <Field label="Type">
            <select
              name="kind"
              value={kind}
              onChange={(event) => setKind(event.currentTarget.value)}
            >
              <option value="repo">Git repository</option>
              <option value="html">Documentation (HTML)</option>
              <option value="openapi">OpenAPI specification</option>
              <option value="pdf">PDF at an address</option>
            </select>
          </Field>
          <Field label="Address" error={problem}>
            <input
              name="url"
              value={url}
              onInput={(event) => setUrl(event.currentTarget.value)}
              required
              maxLength={2048}
              aria-invalid={problem !== undefined}
              placeholder="https://github.com/pallets/flask"
            />
          </Field>
          <Field label="Name" hint="Empty: from the address">
            <input name="name" maxLength={200} />
          </Field>
          {kind === 'repo' && (
            <Field label="Branch, tag or commit">
              <input name="branch" placeholder="main" maxLength={255} />
            </Field>
          )}
          <IntervalField />
        </div>
        {kind === 'repo' && (
          <details>
            <summary>Private repository</summary>
            <Field label="Access token" hint="Stored sealed and never shown again">
              <input name="token" type="password" autocomplete="off" maxLength={4096} />
            </Field>
          </details>
        )}
        {error && <ErrorBox error={error} />}
        <button class="primary" aria-disabled={isBusy || problem !== undefined}>
          {isBusy ? 'Adding…' : 'Add and sync'}
        </button>
      </form>
    </details>
  );
}

function sourceBody(form: FormData): object {
  const text = (name: string) => fieldText(form, name);
  const kind = text('kind');
  const isDocs = kind === 'html' || kind === 'openapi';
  return {
    name: text('name') || sourceName(text('url')),
    url: text('url'),
    source_type: isDocs ? 'docs' : kind,
    sync_interval_seconds: Number(text('interval')),
    ...(isDocs && { docs_format: kind }),
    ...(text('branch') && { branch: text('branch') }),
    ...(text('token') && { credentials: { token: text('token') } }),
  };
}
