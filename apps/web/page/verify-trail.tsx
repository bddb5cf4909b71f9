import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { TrailVerification } from '#contracts/http/index';

import { type ApiError, call } from './api.js';
import { asApiError } from './hooks.js';
import { Badge, ErrorBox } from './parts.js';

/** Checks the whole trail, in as many requests as it takes. */
export function VerifyTrail(): JSX.Element {
  const [state, setState] = useState<ApiError | TrailVerification | 'busy' | null>(null);
  const [count, setCount] = useState(0);
  const verify = async () => {
    setState('busy');
    try {
      let checked = 0;
      let from: number | null = 0;
      let result: TrailVerification | null = null;
      while (from !== null) {
        result = await call<TrailVerification>('GET', `audit/verify?from_seq=${from}`);
        checked += result.checked;
        setCount(checked);
        from = result.valid ? result.continue_from : null;
      }
      setState(result);
    } catch (failure) {
      setState(asApiError(failure));
    }
  };
  const isResult = typeof state === 'object' && state !== null && 'valid' in state;
  return (
    <section class="box" aria-label="Verification">
      <button type="button" aria-disabled={state === 'busy'} onClick={() => void verify()}>
        Verify the trail
      </button>
      <div role="status">
        {state === 'busy' && <p>{count} records checked…</p>}
        {isResult && (
          <p>
            {state.valid ? (
              <Badge tone="good">unbroken</Badge>
            ) : (
              <Badge tone="bad">
                broken at record {state.first_break?.seq} ({state.first_break?.kind})
              </Badge>
            )}{' '}
            {count} records checked, head {state.head_seq ?? 'none'}{' '}
            {state.head_hash !== null && <code>{state.head_hash.slice(0, 16)}…</code>}
            {state.witnessed.of > 0 &&
              `, cosigned by ${state.witnessed.cosigned} of ${state.witnessed.of} witnesses`}
          </p>
        )}
      </div>
      {typeof state === 'object' && state !== null && !isResult && <ErrorBox error={state} />}
    </section>
  );
}
