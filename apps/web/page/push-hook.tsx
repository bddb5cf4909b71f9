import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { PushHookView } from '#contracts/http/index';

import { type ApiError, call } from './api.js';
import { asApiError } from './hooks.js';
import { CopyButton, ErrorBox } from './parts.js';

/** The push hook of a repository: pushes at its host start syncs. The secret is shown once. */
export function PushHook({
  id,
  isSet,
  onChanged,
}: {
  readonly id: string;
  readonly isSet: boolean;
  readonly onChanged: () => void;
}): JSX.Element {
  const [hook, setHook] = useState<PushHookView | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const change = async (method: 'POST' | 'DELETE') => {
    setError(null);
    try {
      const made = await call<PushHookView | undefined>(method, `sources/${id}/hooks`);
      setHook(made ?? null);
      onChanged();
    } catch (failure) {
      setError(asApiError(failure));
    }
  };
  return (
    <details>
      <summary>Push hook: {isSet ? 'on' : 'off'}</summary>
      <p>
        With a push hook, GitHub, GitLab, Gitea or Forgejo report each push, and a sync starts.
        {isSet && ' A new secret replaces the one before, and deliveries with that one fail.'}
      </p>
      {hook && (
        <div class="box" role="status">
          <p>
            Address <code>{hook.url}</code> <CopyButton text={hook.url} label="Copy address" />
          </p>
          {hook.secret !== undefined && (
            <p>
              Secret, shown only now: <code class="secret">{hook.secret}</code>{' '}
              <CopyButton text={hook.secret} label="Copy secret" />
            </p>
          )}
        </div>
      )}
      {error && <ErrorBox error={error} />}
      <p class="row">
        <button type="button" onClick={() => void change('POST')}>
          {isSet ? 'Make a new secret' : 'Switch on'}
        </button>
        {isSet && (
          <button type="button" class="danger" onClick={() => void change('DELETE')}>
            Switch off
          </button>
        )}
      </p>
    </details>
  );
}
