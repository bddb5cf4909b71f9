import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { HistoryEntryView, HistoryList, PolicyDiffView } from '#contracts/http/index';

import { policySetting } from '../logic/policy-settings.js';
import { type ApiError, call } from './api.js';
import { Changes, HistoryEntries } from './changes.js';
import { asApiError, useLoad } from './hooks.js';
import { Dialog, ErrorBox, Loading } from './parts.js';
import { useMe } from './session.js';

const PAGE = 50;

/** The history of the policy: who changed it, what differs from now, and a way back. */
export function PolicyHistory({
  etag,
  onConflict,
  onRestored,
}: {
  /** Version of the policy that the page shows; a rollback names it. */
  readonly etag: string;
  /** Loads the policy again, which somebody else has changed. */
  readonly onConflict: () => void;
  readonly onRestored: () => void;
}): JSX.Element {
  const me = useMe();
  const [restoring, setRestoring] = useState<HistoryEntryView | null>(null);
  const { data, error, reload } = useLoad(`policy history ${etag}`, (signal) =>
    call<HistoryList>('GET', `policy/history?order=desc&limit=${PAGE}`, { signal }),
  );
  return (
    <section>
      <h2>History</h2>
      {error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !data ? (
        <Loading label="Loading the history…" />
      ) : data.entries.length === 0 ? (
        <p class="box">The policy has its defaults; nobody has changed it.</p>
      ) : (
        <HistoryEntries
          entries={data.entries}
          settingOf={policySetting}
          actions={(entry, index) =>
            index === 0 || me.role === 'auditor' ? null : (
              <button type="button" class="small" onClick={() => setRestoring(entry)}>
                Restore these settings…
              </button>
            )
          }
        />
      )}
      {data?.next !== null && data?.next !== undefined && (
        <p class="meta">The newest {PAGE} changes are shown; the audit trail has all.</p>
      )}
      {restoring && (
        <Restore
          entry={restoring}
          etag={etag}
          onConflict={onConflict}
          onClose={() => setRestoring(null)}
          onRestored={() => {
            setRestoring(null);
            onRestored();
          }}
        />
      )}
    </section>
  );
}

function Restore({
  entry,
  etag,
  onConflict,
  onClose,
  onRestored,
}: {
  readonly entry: HistoryEntryView;
  readonly etag: string;
  readonly onConflict: () => void;
  readonly onClose: () => void;
  readonly onRestored: () => void;
}): JSX.Element {
  const [problem, setProblem] = useState<ApiError | null>(null);
  const { data, error } = useLoad(`policy diff ${entry.seq} ${etag}`, (signal) =>
    call<PolicyDiffView>('GET', `policy/diff?from_seq=${entry.seq}`, { signal }),
  );
  const restore = async () => {
    setProblem(null);
    await call('POST', 'policy/rollback', {
      body: { revision: entry.revision },
      headers: { 'if-match': etag },
    }).then(onRestored, (failure: unknown) => {
      const error = asApiError(failure);
      setProblem(error);
      if (error.code === 'policy_changed') onConflict();
    });
  };
  return (
    <Dialog title={`Restore the settings of revision ${entry.revision}?`} onClose={onClose}>
      {error ? (
        <ErrorBox error={error} />
      ) : !data ? (
        <Loading label="Comparing with now…" />
      ) : data.changes.length === 0 ? (
        <p>These settings equal those of now.</p>
      ) : (
        <>
          <p>Every search uses the restored settings at once. The history keeps both.</p>
          <Changes
            changes={data.changes}
            titles={['Of that time, restored', 'Now, replaced']}
            settingOf={policySetting}
          />
        </>
      )}
      {problem && <ErrorBox error={problem} />}
      <p class="row">
        <button
          type="button"
          class="danger"
          aria-disabled={!data || data.changes.length === 0}
          onClick={() => void restore()}
        >
          Restore
        </button>
        <button type="button" onClick={onClose}>
          Keep the policy of now
        </button>
      </p>
    </Dialog>
  );
}
