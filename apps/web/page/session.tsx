import { createContext, type JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import type { MeView, SignInMethodsView } from '#contracts/http/index';

import type { Route } from '../logic/route.js';
import { ApiError, call, onSessionEnd, takeOverSession as takeOver } from './api.js';
import { asApiError, goTo, useLoad } from './hooks.js';
import { Dialog, ErrorBox, Field, Loading, PageTitle } from './parts.js';

const Current = createContext<MeView | null>(null);

/** Returns the signed-in person. @throws Error outside of {@link Current}. */
export function useMe(): MeView {
  const me = useContext(Current);
  if (!me) throw new Error('Nobody is signed in');
  return me;
}

/** Provides the signed-in person to the page below. */
export const CurrentPerson = Current.Provider;

/** Submits a form to a route that signs in. Returns the state that the form shows. */
function useSignIn(path: string, onSignedIn: (me: MeView) => void) {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent, fixed: Readonly<Record<string, string>> = {}) => {
    event.preventDefault();
    const form = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement));
    setBusy(true);
    setError(null);
    try {
      const me = await call<MeView>('POST', path, { body: { ...form, ...fixed } });
      takeOver(me);
      onSignedIn(me);
    } catch (failure) {
      setError(asApiError(failure));
    } finally {
      setBusy(false);
    }
  };
  return { error, isBusy, submit };
}

/** The page before a person is signed in: sign-in, registration or an invitation. */
export function Entrance({
  route,
  onSignedIn,
}: {
  readonly route: Route;
  readonly onSignedIn: (me: MeView) => void;
}): JSX.Element {
  const {
    data: methods,
    error,
    reload,
  } = useLoad('methods', (signal) => call<SignInMethodsView>('GET', 'auth/methods', { signal }));
  const [page, token] = route.path;
  const enter = (me: MeView) => {
    // These places are for strangers alone.
    if (['join', 'register', 'sign-in'].includes(page ?? '')) goTo(['search']);
    onSignedIn(me);
  };
  return (
    <main class="entrance" id="main">
      <p class="brand">
        Footnote<sup>1</sup>
      </p>
      {error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !methods ? (
        <Loading label="Loading…" />
      ) : page === 'join' && token !== undefined ? (
        <JoinForm token={token} onSignedIn={enter} />
      ) : page === 'register' && methods.registration ? (
        <RegisterForm onSignedIn={enter} />
      ) : (
        <SignInForm methods={methods} onSignedIn={enter} problem={route.params['error']} />
      )}
    </main>
  );
}

interface FormProps {
  readonly onSignedIn: (me: MeView) => void;
}

function Address(): JSX.Element {
  return (
    <Field label="E-mail address">
      <input name="email" type="email" autocomplete="username" required maxLength={254} />
    </Field>
  );
}

function NewPassword(): JSX.Element {
  return (
    <Field label="Password" hint="12 to 128 characters; a few unrelated words are good">
      <input
        name="password"
        type="password"
        autocomplete="new-password"
        required
        minLength={12}
        maxLength={128}
      />
    </Field>
  );
}

/** The fields of somebody who is new here, with the button that submits them. */
function NewPerson({
  error,
  submitLabel,
  isBusy,
}: {
  readonly error: ApiError | null;
  readonly submitLabel: string;
  readonly isBusy: boolean;
}): JSX.Element {
  return (
    <>
      <Address />
      <NewPassword />
      {error && <ErrorBox error={error} />}
      <button class="primary" aria-disabled={isBusy}>
        {submitLabel}
      </button>
    </>
  );
}

function SignInInstead(): JSX.Element {
  return (
    <p>
      <a href="#/sign-in">Sign in instead</a>
    </p>
  );
}

function SignInForm({
  methods,
  onSignedIn,
  problem,
}: FormProps & {
  readonly methods: SignInMethodsView;
  readonly problem: string | undefined;
}): JSX.Element {
  const { error, isBusy, submit } = useSignIn('auth/login', onSignedIn);
  return (
    <>
      <PageTitle>Sign in</PageTitle>
      {problem !== undefined && (
        <p class="box error" role="alert">
          The identity provider did not sign you in (<code>{problem.slice(0, 60)}</code>). Try
          again.
        </p>
      )}
      <form onSubmit={(event) => void submit(event)}>
        <Address />
        <Field label="Password">
          <input name="password" type="password" autocomplete="current-password" required />
        </Field>
        {error && <ErrorBox error={error} />}
        <button class="primary" aria-disabled={isBusy}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </button>
      </form>
      {methods.provider && (
        <p>
          <a
            class="button"
            href={`../auth/oidc/login?return_to=${encodeURIComponent(location.pathname)}`}
          >
            Sign in with your team’s provider
          </a>
        </p>
      )}
      {methods.registration && (
        <p>
          <a href="#/register">Create a new tenant</a>. To join an existing one, open the link of
          your invitation.
        </p>
      )}
    </>
  );
}

function RegisterForm({ onSignedIn }: FormProps): JSX.Element {
  const { error, isBusy, submit } = useSignIn('auth/register', onSignedIn);
  return (
    <>
      <PageTitle>Create a tenant</PageTitle>
      <p>A new tenant is empty and separate: it does not see the sources of others.</p>
      <form onSubmit={(event) => void submit(event)}>
        <Field label="Name of the tenant">
          <input name="tenant_name" required maxLength={100} />
        </Field>
        <NewPerson
          error={error}
          submitLabel={isBusy ? 'Creating…' : 'Create tenant'}
          isBusy={isBusy}
        />
      </form>
      <SignInInstead />
    </>
  );
}

function JoinForm({ token, onSignedIn }: FormProps & { readonly token: string }): JSX.Element {
  const { error, isBusy, submit } = useSignIn('auth/accept', onSignedIn);
  return (
    <>
      <PageTitle>Accept the invitation</PageTitle>
      <p>Choose how you sign in from now on. The link works once.</p>
      <form onSubmit={(event) => void submit(event, { token })}>
        <NewPerson error={error} submitLabel={isBusy ? 'Joining…' : 'Join'} isBusy={isBusy} />
      </form>
      <SignInInstead />
    </>
  );
}

/** Asks for the password over the page when the session has ended, so that nothing is lost. */
export function SessionEnded({
  me,
  onRenewed,
}: {
  readonly me: MeView;
  readonly onRenewed: (me: MeView) => void;
}): JSX.Element | null {
  const [waiting, setWaiting] = useState<((renewed: boolean) => void)[]>([]);
  useEffect(() => {
    onSessionEnd(() => new Promise((resolve) => setWaiting((before) => [...before, resolve])));
    return () => onSessionEnd(null);
  }, []);
  const end = (renewed: boolean) => {
    for (const resolve of waiting) resolve(renewed);
    setWaiting([]);
  };
  const { error, isBusy, submit } = useSignIn('auth/login', (renewed) => {
    // Another person must not continue what this one has begun.
    if (renewed.id !== me.id) {
      location.reload();
      return;
    }
    onRenewed(renewed);
    end(true);
  });
  if (waiting.length === 0) return null;
  return (
    <Dialog title="Your session has ended" onClose={() => end(false)}>
      <p>Enter the password of {me.email}. The page stays as it is.</p>
      <form onSubmit={(event) => void submit(event, { email: me.email })}>
        <Field label="Password">
          <input name="password" type="password" autocomplete="current-password" required />
        </Field>
        {error && <ErrorBox error={error} />}
        <p class="row">
          <button class="primary" aria-disabled={isBusy}>
            Continue
          </button>
          <button type="button" onClick={() => end(false)}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
