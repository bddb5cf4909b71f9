import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { UploadedSource } from '#contracts/http/index';

import { type ApiError, call } from './api.js';
import { asApiError } from './hooks.js';
import { ErrorBox, Field } from './parts.js';

/** Longest wait for an upload and its check. */
export const UPLOAD_TIMEOUT_MS = 600_000;

/** The upload of a PDF as a source; its first sync starts at once. */
export function UploadPdf({ onAdded }: { readonly onAdded: (id: string) => void }): JSX.Element {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    if (form.get('name') === '') form.delete('name');
    setBusy(true);
    setError(null);
    try {
      const source = await call<UploadedSource>('POST', 'sources/upload', {
        body: form,
        timeoutMs: UPLOAD_TIMEOUT_MS,
      });
      onAdded(source.id);
    } catch (failure) {
      setError(asApiError(failure));
      setBusy(false);
    }
  };
  return (
    <details class="box">
      <summary>Upload a PDF</summary>
      <form onSubmit={(event) => void submit(event)}>
        <div class="row">
          <Field label="Name of the document" hint="Empty: the name of the file">
            <input name="name" maxLength={200} />
          </Field>
          <Field label="File">
            <input name="file" type="file" accept="application/pdf" required />
          </Field>
        </div>
        {error && <ErrorBox error={error} />}
        <button class="primary" aria-disabled={isBusy}>
          {isBusy ? 'Uploading…' : 'Upload and index'}
        </button>
      </form>
    </details>
  );
}
