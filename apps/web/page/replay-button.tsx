import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { type ApiError, request } from './api.js';
import { asApiError } from './hooks.js';
import { CopyButton, ErrorBox } from './parts.js';

/** The receipt of an answer, and its replay: the same search on the same content and policy. */
export function ReplayButton({ receiptId }: { readonly receiptId: string }): JSX.Element {
  const [state, setState] = useState<ApiError | string | null>(null);
  const replay = async () => {
    setState('Replaying…');
    try {
      const response = await request('POST', `receipts/${receiptId}/replay`);
      await response.body?.cancel();
      const difference = response.headers.get('x-replay-difference');
      setState(
        difference === null
          ? 'The replay gives the same answer.'
          : `The replay differs, because of: ${difference}.`,
      );
    } catch (failure) {
      setState(asApiError(failure));
    }
  };
  return (
    <div class="receipt">
      <p class="meta row">
        <span>
          Receipt{' '}
          <a href={`#/receipts/${receiptId}`}>
            <code>{receiptId}</code>
          </a>
        </span>
        <CopyButton text={receiptId} label="Copy ID" />
        <button type="button" class="small" onClick={() => void replay()}>
          Replay
        </button>
      </p>
      {typeof state === 'string' && <p role="status">{state}</p>}
      {typeof state === 'object' && state !== null && <ErrorBox error={state} />}
    </div>
  );
}
