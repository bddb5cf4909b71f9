import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type {
  InvitationList,
  IssuedInvitationView,
  IssuedKeyView,
  KeyList,
  MemberList,
} from '#contracts/http/index';

import { type ApiError, call } from './api.js';
import { fieldText } from './form-fields.js';
import { asApiError } from './hooks.js';
import { usePages } from './pager.js';
import { Badge, CopyButton, Dialog, ErrorBox, Field, Loading, PageTitle, When } from './parts.js';
import { useMe } from './session.js';

/** Entries on a page of each list. */
const PAGE = 50;
const ROLES = ['member', 'auditor', 'owner'] as const;

interface Doomed {
  readonly title: string;
  readonly loss: string;
  readonly path: string;
}

/** People, invitations and keys of the tenant; for owners. */
export function PeoplePage(): JSX.Element {
  const me = useMe();
  const [error, setError] = useState<ApiError | null>(null);
  const [doomed, setDoomed] = useState<Doomed | null>(null);
  const members = usePages<MemberList>('members', PAGE);
  const invitations = usePages<InvitationList>('invitations', PAGE);
  const keys = usePages<KeyList>('keys', PAGE);
  const act = async (method: string, path: string, body?: object) => {
    setError(null);
    try {
      await call(method, path, body ? { body } : {});
    } catch (failure) {
      setError(asApiError(failure));
    }
    setDoomed(null);
    members.reload();
    invitations.reload();
    keys.reload();
  };
  return (
    <>
      <PageTitle>People</PageTitle>
      {error && <ErrorBox error={error} />}
      <h2>Members</h2>
      {members.error && <ErrorBox error={members.error} onRetry={members.reload} />}
      {!members.data && !members.error && <Loading label="Loading members…" />}
      <ul class="list">
        {members.data?.members.map((member) => (
          <li key={member.user_id} class="row">
            <span class="grow">
              {member.display_name ?? member.email}
              <br />
              <span class="meta">
                {member.display_name !== null && `${member.email}, `}since{' '}
                {member.created_at.slice(0, 10)}
              </span>
            </span>
            <select
              aria-label={`Role of ${member.email}`}
              value={member.role}
              onChange={(event) =>
                void act('PATCH', `members/${member.user_id}`, { role: event.currentTarget.value })
              }
            >
              {ROLES.map((role) => (
                <option key={role}>{role}</option>
              ))}
            </select>
            {member.user_id !== me.id && (
              <button
                type="button"
                onClick={() =>
                  setDoomed({
                    title: `Remove ${member.email}?`,
                    loss: 'Their sessions end at once and the account is closed for good.',
                    path: `members/${member.user_id}`,
                  })
                }
              >
                Remove…
              </button>
            )}
          </li>
        ))}
      </ul>
      {members.pager}
      <h2>Invitations</h2>
      <Invite onInvited={invitations.reload} />
      {invitations.error && <ErrorBox error={invitations.error} onRetry={invitations.reload} />}
      <ul class="list">
        {invitations.data?.invitations.map((invitation) => (
          <li key={invitation.id} class="row">
            <span class="grow">
              {invitation.email ?? 'Anybody with the link'} as {invitation.role}{' '}
              <Badge tone={invitation.status === 'open' ? 'good' : 'plain'}>
                {invitation.status}
              </Badge>{' '}
              {invitation.status === 'open' && (
                <span class="meta">
                  expires <When time={invitation.expires_at} />
                </span>
              )}
            </span>
            {invitation.status === 'open' && (
              <button
                type="button"
                onClick={() => void act('DELETE', `invitations/${invitation.id}`)}
              >
                Revoke
              </button>
            )}
          </li>
        ))}
      </ul>
      {invitations.pager}
      <h2>Keys</h2>
      <IssueKey onIssued={keys.reload} />
      {keys.error && <ErrorBox error={keys.error} onRetry={keys.reload} />}
      <ul class="list">
        {keys.data?.keys.map((key) => (
          <li key={key.id} class="row">
            <span class="grow">
              {key.name} <code>{key.prefix}…</code>{' '}
              {key.revoked_at !== null && <Badge tone="plain">revoked</Badge>}
              <br />
              <span class="meta">
                {key.scopes.join(', ')}; last use{' '}
                {key.last_used_at === null ? 'never' : <When time={key.last_used_at} />}; expires{' '}
                {key.expires_at === null ? 'never' : <When time={key.expires_at} />}
              </span>
            </span>
            {key.revoked_at === null && (
              <button
                type="button"
                onClick={() =>
                  setDoomed({
                    title: `Revoke the key ${key.name}?`,
                    loss: 'Every program that uses it is rejected from now on.',
                    path: `keys/${key.id}`,
                  })
                }
              >
                Revoke…
              </button>
            )}
          </li>
        ))}
      </ul>
      {keys.pager}
      {doomed && (
        <Dialog title={doomed.title} onClose={() => setDoomed(null)}>
          <p>{doomed.loss}</p>
          <p class="row">
            <button type="button" class="danger" onClick={() => void act('DELETE', doomed.path)}>
              Yes, do it
            </button>
            <button type="button" onClick={() => setDoomed(null)}>
              Cancel
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

/** A secret that is shown once. */
function Secret({ label, text }: { readonly label: string; readonly text: string }): JSX.Element {
  return (
    <div class="box warn" role="status">
      <p>{label}</p>
      <p class="row">
        <code class="secret">{text}</code>
        <CopyButton text={text} label="Copy" />
      </p>
    </div>
  );
}

function Invite({ onInvited }: { readonly onInvited: () => void }): JSX.Element {
  const [issued, setIssued] = useState<IssuedInvitationView | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const email = fieldText(fields, 'email');
    const body = { role: fieldText(fields, 'role'), ...(email && { email }) };
    setError(null);
    try {
      setIssued(await call<IssuedInvitationView>('POST', 'invitations', { body }));
      onInvited();
    } catch (failure) {
      setError(asApiError(failure));
    }
  };
  const link = issued ? new URL(`#/join/${issued.token}`, document.baseURI).href : null;
  return (
    <>
      <form class="row" onSubmit={(event) => void submit(event)}>
        <Field label="Address (optional)">
          <input name="email" type="email" maxLength={254} />
        </Field>
        <Field label="Role">
          <select name="role">
            {ROLES.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        </Field>
        <button>Invite</button>
      </form>
      {error && <ErrorBox error={error} />}
      {link !== null && (
        <Secret
          label="Send this link yourself. It works once and is not shown again."
          text={link}
        />
      )}
    </>
  );
}

function IssueKey({ onIssued }: { readonly onIssued: () => void }): JSX.Element {
  const [issued, setIssued] = useState<IssuedKeyView | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const days = Number(fields.get('days'));
    const expires_at = new Date(Date.now() + days * 86_400_000).toISOString();
    const body = {
      name: fieldText(fields, 'name'),
      scopes: fields.getAll('scope').map(String),
      ...(days > 0 && { expires_at }),
    };
    setError(null);
    try {
      setIssued(await call<IssuedKeyView>('POST', 'keys', { body }));
      onIssued();
    } catch (failure) {
      setError(asApiError(failure));
    }
  };
  return (
    <>
      <form class="row" onSubmit={(event) => void submit(event)}>
        <Field label="Name of the key">
          <input name="name" required maxLength={100} />
        </Field>
        <Field label="Expires">
          <select name="days">
            <option value="90">In 90 days</option>
            <option value="365">In a year</option>
            <option value="0">Never</option>
          </select>
        </Field>
        {['read', 'write', 'audit'].map((scope) => (
          <label class="check" key={scope}>
            <input type="checkbox" name="scope" value={scope} defaultChecked={scope === 'read'} />
            {scope}
          </label>
        ))}
        <button>Create key</button>
      </form>
      {error && <ErrorBox error={error} />}
      {issued?.key !== undefined && (
        <Secret label="The secret is shown only now." text={issued.key} />
      )}
    </>
  );
}
