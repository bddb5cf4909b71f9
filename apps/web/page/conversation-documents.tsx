import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { ConversationDetailView, UploadedPdfView } from '#contracts/http/index';

import { counted } from '../logic/counted.js';
import { type ApiError, call } from './api.js';
import { asApiError, useInterval, useLoad } from './hooks.js';
import { Badge, ErrorBox, Field, When } from './parts.js';
import { UPLOAD_TIMEOUT_MS } from './upload-pdf.js';

const POLL_MS = 1_500;

/** PDF files of a conversation: its answers use them, no other search does. */
export function ConversationDocuments({
  conversation,
  onNeeded,
}: {
  readonly conversation: string | undefined;
  /** Begins a conversation for the first file, and returns its id. */
  readonly onNeeded: () => Promise<string>;
}): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const key = isOpen && conversation !== undefined ? `documents ${conversation}` : null;
  const detail = useLoad(key, (signal) =>
    call<ConversationDetailView>('GET', `conversations/${conversation}`, { signal }),
  );
  // The data of the conversation before stays until that of this one arrives.
  const documents = detail.data?.id === conversation ? (detail.data?.documents ?? []) : [];
  useInterval(detail.reload, documents.some((each) => !each.is_indexed) ? POLL_MS : null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const body = new FormData(form);
    setBusy(true);
    setError(null);
    try {
      body.set('conversation_id', conversation ?? (await onNeeded()));
      await call<UploadedPdfView>('POST', 'chat/upload-pdf', {
        body,
        timeoutMs: UPLOAD_TIMEOUT_MS,
      });
      form.reset();
      detail.reload();
    } catch (failure) {
      setError(asApiError(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        Documents of this conversation
        {documents.length > 0 && ` (${counted(documents.length, 'file')})`}
      </summary>
      <p class="meta">
        Answers here use them, no other search does. They go with the conversation.
      </p>
      {detail.error && <ErrorBox error={detail.error} onRetry={detail.reload} />}
      <ul class="history">
        {documents.map((each) => (
          <li key={each.document_id}>
            {each.file_name}{' '}
            <Badge tone={each.is_indexed ? 'good' : 'warn'}>
              {each.is_indexed ? 'indexed' : 'being indexed'}
            </Badge>{' '}
            <span class="meta">
              <When time={each.uploaded_at} />
            </span>
          </li>
        ))}
      </ul>
      <form class="row" aria-label="Add a PDF" onSubmit={(event) => void submit(event)}>
        <Field label="PDF">
          <input name="file" type="file" accept="application/pdf" required />
        </Field>
        <button aria-disabled={isBusy}>{isBusy ? 'Uploading…' : 'Add'}</button>
      </form>
      {error && <ErrorBox error={error} />}
    </details>
  );
}
