import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { ApiError } from './api.js';
import { call } from './api.js';
import { asApiError } from './hooks.js';
import { ErrorBox, Field } from './parts.js';
import { useMe } from './session.js';
import { chooseTheme, chosenTheme, THEMES } from './theme.js';

/** The menu of the signed-in person: theme, password, sign-out. */
export function Account({ onSignedOut }: { readonly onSignedOut: () => void }): JSX.Element {
  const me = useMe();
  const [error, setError] = useState<ApiError | null>(null);
  const leave = (path: string) =>
    call('POST', path).then(onSignedOut, (failure: unknown) => setError(asApiError(failure)));
  return (
    <details class="menu">
      <summary aria-label={`Account of ${me.email}`}>{me.display_name ?? me.email}</summary>
      <div class="menu-body">
        <p>
          {me.email}
          <br />
          <span class="meta">
            {me.role} of {me.tenant_name}
          </span>
        </p>
        <ThemeChoice />
        <ChangePassword />
        {error && <ErrorBox error={error} />}
        <p class="row">
          <button type="button" onClick={() => void leave('auth/logout')}>
            Sign out
          </button>
          <button type="button" onClick={() => void leave('auth/logout-everywhere')}>
            End all sessions
          </button>
        </p>
      </div>
    </details>
  );
}

function ThemeChoice(): JSX.Element {
  const [theme, setTheme] = useState(chosenTheme);
  return (
    <Field label="Colors">
      <select
        value={theme}
        onChange={(event) => {
          chooseTheme(event.currentTarget.value);
          setTheme(event.currentTarget.value);
        }}
      >
        {THEMES.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  );
}

function ChangePassword(): JSX.Element {
  const [state, setState] = useState<ApiError | 'idle' | 'done'>('idle');
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    try {
      await call('POST', 'auth/password', { body: Object.fromEntries(new FormData(form)) });
      form.reset();
      setState('done');
    } catch (failure) {
      setState(asApiError(failure));
    }
  };
  return (
    <details>
      <summary>Change password</summary>
      <form onSubmit={(event) => void submit(event)}>
        <Field label="Current password">
          <input name="current_password" type="password" autocomplete="current-password" required />
        </Field>
        <Field label="New password">
          <input
            name="new_password"
            type="password"
            autocomplete="new-password"
            minLength={12}
            maxLength={128}
            required
          />
        </Field>
        {typeof state === 'object' && <ErrorBox error={state} />}
        {state === 'done' && <p role="status">Changed. Every other session has ended.</p>}
        <button>Change password</button>
      </form>
    </details>
  );
}
