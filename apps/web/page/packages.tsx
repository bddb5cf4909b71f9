import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import type { GlobalPackageList, GlobalPackageView, PackageLinkList } from '#contracts/http/index';

import { counted } from '../logic/counted.js';
import { packageKey } from '../logic/package-key.js';
import type { Route } from '../logic/route.js';
import { type ApiError, call } from './api.js';
import { EcosystemField, ECOSYSTEMS } from './ecosystem-field.js';
import { fieldTexts } from './form-fields.js';
import { asApiError, goTo, useInterval, useLoad } from './hooks.js';
import { PackageSearch } from './package-search.js';
import { Pager } from './pager.js';
import { Badge, Dialog, ErrorBox, Field, Loading, PageTitle, When, WideTable } from './parts.js';
import { useMe } from './session.js';

const PAGE = 20;
const POLL_MS = 2_000;

const TONES = {
  synced: 'good',
  error: 'bad',
  syncing: 'warn',
  pending: 'plain',
  dropped: 'plain',
} as const;

/** Packages: a search in one release, the links of the tenant, and the catalogue. */
export function PackagesPage({ route }: { readonly route: Route }): JSX.Element {
  const me = useMe();
  const [answers, setAnswers] = useState(0);
  const links = useLoad('links', (signal) =>
    call<PackageLinkList>('GET', 'packages/my-packages?limit=100', { signal }),
  );
  const isBusy = links.data?.packages.some(({ status }) => isUnderWay(status)) ?? false;
  useInterval(links.reload, isBusy ? POLL_MS : null);
  return (
    <>
      <PageTitle>Packages</PageTitle>
      <PackageSearch route={route} onAnswered={() => setAnswers((before) => before + 1)} />
      <h2>Linked packages</h2>
      <p class="meta">Searches and chat cover linked packages beside the sources.</p>
      {me.role !== 'auditor' && <LinkForm onLinked={links.reload} />}
      {links.error ? (
        <ErrorBox error={links.error} onRetry={links.reload} />
      ) : !links.data ? (
        <Loading label="Loading links…" />
      ) : links.data.total === 0 ? (
        <p class="box">No package is linked. Link the releases that your code depends on.</p>
      ) : (
        <Links links={links.data} onChanged={links.reload} canWrite={me.role !== 'auditor'} />
      )}
      <Catalogue route={route} answers={answers} />
    </>
  );
}

function isUnderWay(status: string): boolean {
  return status === 'pending' || status === 'syncing';
}

function LinkForm({ onLinked }: { readonly onLinked: () => void }): JSX.Element {
  const [error, setError] = useState<ApiError | null>(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const { ecosystem, name, version } = fieldTexts(form);
    setBusy(true);
    setError(null);
    try {
      const body = { ecosystem, name, ...(version && { version }) };
      await call('POST', 'packages/add', { body });
      form.reset();
      onLinked();
    } catch (failure) {
      setError(asApiError(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form class="box" aria-label="Link a package" onSubmit={(event) => void submit(event)}>
      <div class="row">
        <EcosystemField />
        <Field label="Package">
          <input name="name" required maxLength={300} placeholder="react" />
        </Field>
        <Field label="Version" hint="Empty: the latest">
          <input name="version" maxLength={128} placeholder="19.0.0" />
        </Field>
      </div>
      {error && <ErrorBox error={error} />}
      <button class="primary" aria-disabled={isBusy}>
        {isBusy ? 'Linking…' : 'Link'}
      </button>
    </form>
  );
}

function Links({
  links,
  onChanged,
  canWrite,
}: {
  readonly links: PackageLinkList;
  readonly onChanged: () => void;
  readonly canWrite: boolean;
}): JSX.Element {
  const [leaving, setLeaving] = useState<PackageLinkList['packages'][number] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const unlink = async (id: string) => {
    setError(null);
    await call('DELETE', `packages/my-packages/${id}`).then(
      () => {
        setLeaving(null);
        onChanged();
      },
      (failure: unknown) => setError(asApiError(failure)),
    );
  };
  return (
    <>
      <WideTable of="linked packages">
        <thead>
          <tr>
            <th scope="col">Package</th>
            <th scope="col">Status</th>
            <th scope="col">Linked</th>
            {canWrite && <th scope="col">Link</th>}
          </tr>
        </thead>
        <tbody>
          {links.packages.map((link) => (
            <tr key={link.link_id}>
              <th scope="row">
                <a href={searchPlace(link)}>{packageKey(link)}</a>
              </th>
              <td>
                <Badge tone={TONES[link.status]}>{link.status}</Badge>
              </td>
              <td>
                <When time={link.created_at} />
              </td>
              {canWrite && (
                <td>
                  <button type="button" class="small" onClick={() => setLeaving(link)}>
                    Remove…
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </WideTable>
      {links.total > links.packages.length && (
        <p class="meta">
          The newest {links.packages.length} of {links.total} links are shown.
        </p>
      )}
      {leaving && (
        <Dialog
          title={`Remove the link to ${packageKey(leaving)}?`}
          onClose={() => setLeaving(null)}
        >
          <p>
            Searches and chat no longer cover this release. It stays in the catalogue and can be
            linked again.
          </p>
          {error && <ErrorBox error={error} />}
          <p class="row">
            <button type="button" class="danger" onClick={() => void unlink(leaving.link_id)}>
              Remove the link
            </button>
            <button type="button" onClick={() => setLeaving(null)}>
              Keep it
            </button>
          </p>
        </Dialog>
      )}
    </>
  );
}

function searchPlace(release: Pick<GlobalPackageView, 'ecosystem' | 'name' | 'version'>): string {
  return `#/packages?${new URLSearchParams({ ...pick(release) })}`;
}

function pick({
  ecosystem,
  name,
  version,
}: Pick<GlobalPackageView, 'ecosystem' | 'name' | 'version'>) {
  return { ecosystem, name, version };
}

function Catalogue({
  route,
  answers,
}: {
  readonly route: Route;
  /** Number of searches that were answered; each may add a release. */
  readonly answers: number;
}): JSX.Element {
  const { catalogue = '', registry = '' } = route.params;
  const skip = Number(route.params['skip'] ?? 0);
  const query = new URLSearchParams({ skip: String(skip), limit: String(PAGE) });
  if (catalogue) query.set('query', catalogue);
  if (registry) query.set('ecosystem', registry);
  const { data, error, reload } = useLoad(`catalogue ${query} ${answers}`, (signal) =>
    call<GlobalPackageList>('GET', `packages/global?${query}`, { signal }),
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    goTo(['packages'], fieldTexts(event.currentTarget as HTMLFormElement));
  };
  return (
    <section>
      <h2>Catalogue</h2>
      <p class="meta">Releases that somebody has searched or linked on this service.</p>
      <form class="row" aria-label="Filter the catalogue" onSubmit={submit}>
        <label class="field">
          <span>Words</span>
          <input name="catalogue" maxLength={200} defaultValue={catalogue} />
        </label>
        <label class="field">
          <span>Registry</span>
          <select name="registry">
            <option value="">All</option>
            {ECOSYSTEMS.map((each) => (
              <option key={each} selected={each === registry}>
                {each}
              </option>
            ))}
          </select>
        </label>
        <button>Filter</button>
      </form>
      {error ? (
        <ErrorBox error={error} onRetry={reload} />
      ) : !data ? (
        <Loading label="Loading the catalogue…" />
      ) : data.total === 0 ? (
        <p class="box">No release matches. A search in a package above adds it.</p>
      ) : (
        <ul class="history">
          {data.packages.map((each) => (
            <li key={each.package_id}>
              <a href={searchPlace(each)}>{packageKey(each)}</a>{' '}
              <Badge tone={TONES[each.status]}>{each.status}</Badge>
              {each.description !== null && <p>{each.description}</p>}
              <p class="meta">
                {each.license ?? 'No license named'} · {counted(each.file_count, 'file')},{' '}
                {counted(each.chunk_count, 'passage')}
              </p>
              {each.notices.map((notice) => (
                <p class="box warn" key={notice}>
                  {notice}
                </p>
              ))}
            </li>
          ))}
        </ul>
      )}
      <Pager
        skip={skip}
        size={PAGE}
        total={data?.total ?? 0}
        onSkip={(to) => goTo(['packages'], { catalogue, registry, skip: to })}
      />
    </section>
  );
}
