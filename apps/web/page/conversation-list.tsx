import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { ConversationList } from '#contracts/http/index';

import { type ApiError, call } from './api.js';
import { asApiError, goTo } from './hooks.js';
import type { Pages } from './pager.js';
import { Dialog, ErrorBox } from './parts.js';

/** The conversations of the person, newest first, and the end of the open one. */
export function Conversations({
  list,
  current,
}: {
  readonly list: Pages<ConversationList>;
  readonly current: string | undefined;
}): JSX.Element {
  const [asks, setAsks] = useState(false);
  return (
    <details>
      <summary>Conversations</summary>
      {list.error && <ErrorBox error={list.error} onRetry={list.reload} />}
      <ul>
        <li>
          <a href="#/chat">New conversation</a>
        </li>
        {list.data?.conversations.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#/chat?conversation=${id}`}
              aria-current={id === current ? 'true' : undefined}
            >
              {title ?? 'Without a question'}
            </a>
          </li>
        ))}
      </ul>
      {list.pager}
      {current !== undefined && (
        <button type="button" class="small" onClick={() => setAsks(true)}>
          Delete this conversation…
        </button>
      )}
      {asks && current !== undefined && (
        <DeleteConversation
          id={current}
          onClose={() => setAsks(false)}
          onDeleted={() => {
            setAsks(false);
            list.reload();
            goTo(['chat']);
          }}
        />
      )}
    </details>
  );
}

function DeleteConversation({
  id,
  onClose,
  onDeleted,
}: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}): JSX.Element {
  const [error, setError] = useState<ApiError | null>(null);
  const remove = () => {
    setError(null);
    return call('DELETE', `conversations/${id}`).then(onDeleted, (failure: unknown) =>
      setError(asApiError(failure)),
    );
  };
  return (
    <Dialog title="Delete this conversation?" onClose={onClose}>
      <p>Its questions, answers and documents can never be read again.</p>
      {error && <ErrorBox error={error} />}
      <p class="row">
        <button type="button" class="danger" onClick={() => void remove()}>
          Delete the conversation
        </button>
        <button type="button" onClick={onClose}>
          Keep it
        </button>
      </p>
    </Dialog>
  );
}
