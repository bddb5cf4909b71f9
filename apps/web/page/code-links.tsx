import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type {
  DefinitionsView,
  ReferencesView,
  SourceFileView,
  SourceView,
} from '#contracts/http/index';

import { counted } from '../logic/counted.js';
import { findIdentifier, type Identifier } from '../logic/identifiers.js';
import { paneParams } from '../logic/pane-params.js';
import { type Route, routeFragment } from '../logic/route.js';
import { call } from './api.js';
import { fieldText } from './form-fields.js';
import { useLoad } from './hooks.js';
import { ErrorBox, Field, Loading } from './parts.js';

const MOST = 100;

interface CodeLinksProps {
  readonly route: Route;
  readonly sourceId: string;
  readonly path: string;
  readonly version: string;
  /** The identifier to look up. */
  readonly looked: Identifier | null;
  readonly onLook: (identifier: Identifier) => void;
  /** Lines around the cited ones; a typed name means its first place there. */
  readonly near: SourceFileView;
}

/** Definitions and references of an identifier that was clicked in the text or typed here. */
export function CodeLinks(props: CodeLinksProps): JSX.Element {
  const { looked, onLook, near } = props;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (looked) setOpen(true);
  }, [looked]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const name = fieldText(new FormData(event.currentTarget as HTMLFormElement), 'identifier');
    onLook(findIdentifier(name, near.lines, near.from_line) ?? { name, line: 0, column: 0 });
  };
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Definitions and references</summary>
      <form class="row" aria-label="Look up an identifier" onSubmit={submit}>
        <Field label="Identifier" hint="Or click one in the text. A lookup counts as one search">
          <input
            name="identifier"
            required
            maxLength={200}
            key={looked?.name}
            defaultValue={looked?.name ?? ''}
          />
        </Field>
        <button>Find definitions</button>
      </form>
      {looked && <Definitions {...props} looked={looked} />}
    </details>
  );
}

/**
 * Returns the query of an identifier: its place where the shown version is the live one, else its
 * name.
 */
function lookupQuery({ sourceId, path, version }: CodeLinksProps, looked: Identifier) {
  return async (signal: AbortSignal): Promise<URLSearchParams> => {
    const live = await call<SourceView>('GET', `sources/${sourceId}`, { signal }).then(
      (source) => source.version_ref,
      // A linked package is no source of the tenant.
      () => null,
    );
    const place = {
      source_id: sourceId,
      path,
      line: String(looked.line),
      column: String(looked.column),
    };
    const isPlace = looked.line > 0 && live === version;
    return new URLSearchParams({
      ...(isPlace ? place : { name: looked.name }),
      limit: String(MOST),
    });
  };
}

function Definitions(props: CodeLinksProps & { readonly looked: Identifier }): JSX.Element {
  const { looked, route } = props;
  const place = `${looked.name} ${looked.line} ${looked.column}`;
  const [wanted, setWanted] = useState('');
  const query = lookupQuery(props, looked);
  const { data, error, reload } = useLoad(`definitions ${place}`, async (signal) =>
    call<DefinitionsView>('GET', `definitions?${await query(signal)}`, { signal }),
  );
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Looking up…" />;
  return (
    <>
      <p role="status">
        {counted(data.count, 'definition')} of <code>{data.query}</code>
      </p>
      <Hints texts={[...data.warnings, ...data.hints]} />
      <ul class="outline">
        {data.definitions.map((each) => (
          <Place
            key={`${each.source_id} ${each.path} ${each.start_line} ${each.symbol}`}
            route={route}
            place={{ ...each, start_line: each.start_line, end_line: each.end_line }}
          >
            {each.kind} <code>{each.symbol}</code>
          </Place>
        ))}
      </ul>
      {wanted === place ? (
        <References key={place} route={route} place={place} query={query} />
      ) : (
        <button type="button" class="small" onClick={() => setWanted(place)}>
          Find references
        </button>
      )}
    </>
  );
}

function References({
  route,
  place,
  query,
}: {
  readonly route: Route;
  readonly place: string;
  readonly query: (signal: AbortSignal) => Promise<URLSearchParams>;
}): JSX.Element {
  const { data, error, reload } = useLoad(`references ${place}`, async (signal) =>
    call<ReferencesView>('GET', `references?${await query(signal)}`, { signal }),
  );
  if (error) return <ErrorBox error={error} onRetry={reload} />;
  if (!data) return <Loading label="Looking for references…" />;
  return (
    <>
      <p role="status">
        {!data.complete && 'At least '}
        {counted(data.count, 'reference')}
        {data.left_out > 0 && `; ${data.left_out} with this name stand for something else`}
      </p>
      <Hints texts={[...data.warnings, ...data.hints]} />
      <ul class="outline">
        {data.references.map((each) => (
          <Place
            key={`${each.source_id} ${each.path} ${each.line} ${each.column}`}
            route={route}
            place={{ ...each, start_line: each.line, end_line: each.line }}
          >
            {each.kind} {each.symbol !== null && <>in {each.symbol}</>}{' '}
            <code>{each.text.trim()}</code>
          </Place>
        ))}
      </ul>
    </>
  );
}

function Hints({ texts }: { readonly texts: readonly string[] }): JSX.Element {
  return (
    <>
      {texts.map((text) => (
        <p class="box warn" key={text}>
          {text}
        </p>
      ))}
    </>
  );
}

/** A place that opens in the reading pane. */
function Place({
  route,
  place,
  children,
}: {
  readonly route: Route;
  readonly place: {
    readonly source_id: string;
    readonly source_name: string;
    readonly path: string;
    readonly version_ref: string;
    readonly start_line: number | null;
    readonly end_line: number | null;
  };
  readonly children: ComponentChildren;
}): JSX.Element {
  const { start_line, end_line, ...rest } = place;
  const lines = start_line === null ? {} : { start_line, end_line: end_line ?? start_line };
  const params = { ...route.params, chunk: undefined, ...paneParams({ ...rest, ...lines }) };
  return (
    <li>
      <a href={routeFragment(route.path, params)}>
        {place.path}
        {start_line !== null && `:${start_line}`}
      </a>{' '}
      <span class="meta">{place.source_name}</span>
      <br />
      {children}
    </li>
  );
}
