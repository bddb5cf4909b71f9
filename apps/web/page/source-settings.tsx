import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { SourceView } from '#contracts/http/index';

import { type ApiError, call } from './api.js';
import { fieldText } from './form-fields.js';
import { asApiError } from './hooks.js';
import { IntervalField } from './interval-field.js';
import { ErrorBox, Field } from './parts.js';

/** The settings of a source that people change: name, branch, interval, access token. */
export function SourceSettings({
  source,
  onChanged,
}: {
  readonly source: SourceView;
  readonly onChanged: () => void;
}): JSX.Element {
  const [state, setState] = useState<ApiError | 'idle' | 'saved'>('idle');
  const isRepo = source.source_type === 'repo';
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const token = fieldText(form, 'token');
    const body = {
      name: fieldText(form, 'name'),
      sync_interval_seconds: Number(fieldText(form, 'interval')),
      ...(isRepo && { branch: fieldText(form, 'branch') }),
      ...(token && { credentials: { token } }),
    };
    setState('idle');
    await call('PATCH', `sources/${source.id}`, { body }).then(
      () => {
        setState('saved');
        onChanged();
      },
      (failure: unknown) => setState(asApiError(failure)),
    );
  };
  return (
    <details>
      <summary>Settings</summary>
      <form onSubmit={(event) => void submit(event)}>
        <div class="row">
          <Field label="Name">
            <input name="name" required maxLength={200} defaultValue={source.name} />
          </Field>
          {isRepo && (
            <Field label="Branch, tag or commit" hint="The next sync reads it">
              <input name="branch" required maxLength={255} defaultValue={source.branch} />
            </Field>
          )}
          <IntervalField seconds={source.sync_interval_seconds} />
          {isRepo && (
            <Field label="Access token" hint="Empty: as it is">
              <input name="token" type="password" autocomplete="off" maxLength={4096} />
            </Field>
          )}
        </div>
        {typeof state === 'object' && <ErrorBox error={state} />}
        {state === 'saved' && <p role="status">Saved.</p>}
        <button>Save settings</button>
      </form>
    </details>
  );
}

/** The way on after a sync that did not find its branch: the default branch of the repository. */
export function OtherBranch({
  sourceId,
  branch,
  onChanged,
}: {
  readonly sourceId: string;
  readonly branch: string;
  readonly onChanged: () => void;
}): JSX.Element {
  const [error, setError] = useState<ApiError | null>(null);
  const use = async () => {
    setError(null);
    try {
      await call('PATCH', `sources/${sourceId}`, { body: { branch } });
      await call('POST', `sources/${sourceId}/sync`);
      onChanged();
    } catch (failure) {
      setError(asApiError(failure));
    }
  };
  return (
    <>
      <p>
        <button type="button" onClick={() => void use()}>
          Sync the branch {branch}
        </button>
      </p>
      {error && <ErrorBox error={error} />}
    </>
  );
}
