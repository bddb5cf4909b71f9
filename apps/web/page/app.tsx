import type { JSX } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

import type { MeView } from '#contracts/http/index';

import type { Route } from '../logic/route.js';
import { hasSessionCookie } from '../logic/session-cookie.js';
import { Account } from './account.js';
import { Announcer } from './announcer.js';
import { type ApiError, call, takeOverSession } from './api.js';
import { AuditPage } from './audit.js';
import { ChatPage } from './chat.js';
import { asApiError, useRoute } from './hooks.js';
import { PackagesPage } from './packages.js';
import { ErrorBox, Loading, PageTitle } from './parts.js';
import { PeoplePage } from './people.js';
import { PolicyPage } from './policy.js';
import { ReceiptPage } from './receipt.js';
import { ResearchPage } from './research.js';
import { SearchPage } from './search.js';
import { CurrentPerson, Entrance, SessionEnded } from './session.js';
import { Shortcuts } from './shortcuts.js';
import { SourcePage } from './source.js';
import { SourcesPage } from './sources.js';
import { UsagePage } from './usage.js';

type Role = MeView['role'];

interface Page {
  readonly name: string;
  readonly title: string;
  /** Roles that may see it. Default: all. */
  readonly roles?: readonly Role[];
  /** True for a page that other pages link to; the navigation leaves it out. */
  readonly isHidden?: boolean;
  readonly show: (route: Route) => JSX.Element;
}

const PAGES: readonly Page[] = [
  { name: 'search', title: 'Search', show: (route) => <SearchPage route={route} /> },
  { name: 'chat', title: 'Chat', show: (route) => <ChatPage route={route} /> },
  {
    name: 'sources',
    title: 'Sources',
    show: (route) =>
      route.path[1] === undefined ? (
        <SourcesPage route={route} />
      ) : (
        <SourcePage key={route.path[1]} id={route.path[1]} />
      ),
  },
  { name: 'packages', title: 'Packages', show: (route) => <PackagesPage route={route} /> },
  { name: 'research', title: 'Research', show: (route) => <ResearchPage route={route} /> },
  { name: 'policy', title: 'Policy', show: () => <PolicyPage /> },
  {
    name: 'audit',
    title: 'Audit',
    roles: ['owner', 'auditor'],
    show: (route) => <AuditPage route={route} />,
  },
  {
    name: 'receipts',
    title: 'Receipts',
    isHidden: true,
    show: (route) => <ReceiptPage route={route} />,
  },
  { name: 'usage', title: 'Usage', show: () => <UsagePage /> },
  { name: 'people', title: 'People', roles: ['owner'], show: () => <PeoplePage /> },
];

/** The whole page: the entrance for strangers, the service for people who are signed in. */
export function App(): JSX.Element {
  const route = useRoute();
  const [me, setMe] = useState<MeView | null | undefined>(undefined);
  const [error, setError] = useState<ApiError | null>(null);
  const [turn, setTurn] = useState(0);
  useLayoutEffect(() => {
    setError(null);
    if (!hasSessionCookie(document.cookie)) {
      setMe(null);
      return;
    }
    call<MeView>('GET', 'auth/me').then(
      (view) => {
        takeOverSession(view);
        setMe(view);
      },
      (failure: unknown) => {
        const problem = asApiError(failure);
        if (problem.status === 401) setMe(null);
        else setError(problem);
      },
    );
  }, [turn]);
  if (error) {
    return (
      <main class="entrance" id="main">
        <PageTitle>Footnote</PageTitle>
        <ErrorBox error={error} onRetry={() => setTurn(turn + 1)} />
      </main>
    );
  }
  if (me === undefined) {
    return (
      <main class="entrance" id="main">
        <Loading label="Loading…" />
      </main>
    );
  }
  if (me === null) return <Entrance route={route} onSignedIn={setMe} />;
  return (
    <CurrentPerson value={me}>
      <Frame route={route} me={me} onSignedOut={() => setMe(null)} />
      <SessionEnded me={me} onRenewed={setMe} />
      <Shortcuts />
      <Announcer />
    </CurrentPerson>
  );
}

function Frame({
  route,
  me,
  onSignedOut,
}: {
  readonly route: Route;
  readonly me: MeView;
  readonly onSignedOut: () => void;
}): JSX.Element {
  const name = route.path[0] ?? 'search';
  const page = PAGES.find((each) => each.name === name);
  const shown = PAGES.filter(
    ({ roles, isHidden }) => isHidden !== true && (roles?.includes(me.role) ?? true),
  );
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="#/search">
          Footnote<sup>1</sup>
        </a>
        <nav aria-label="Pages">
          {shown.map(({ name: each, title }) => (
            <a key={each} href={`#/${each}`} aria-current={each === name ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <Account onSignedOut={onSignedOut} />
      </header>
      <main id="main" tabIndex={-1}>
        {page === undefined ? (
          <>
            <PageTitle>Page not found</PageTitle>
            <p>
              Nothing is at this address. <a href="#/search">Search</a> instead.
            </p>
          </>
        ) : page.roles && !page.roles.includes(me.role) ? (
          <>
            <PageTitle>No permission</PageTitle>
            <p>
              This page is for the role {page.roles.join(' or ')}. Your role is {me.role}; an owner
              of {me.tenant_name} can change that.
            </p>
          </>
        ) : (
          <div key={name}>{page.show(route)}</div>
        )}
      </main>
    </>
  );
}

/** Moves the focus without touching the address, which holds the place in the page. */
function skipToMain(event: MouseEvent): void {
  event.preventDefault();
  document.getElementById('main')?.focus();
}
