import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { counted } from '../../logic/counted.js';
import { type ApiDocument, type Endpoint, endpointsByTag } from '../../logic/openapi.js';
import { AnswerText } from '../answer.js';
import { Operation } from './operation.js';

/** The service is next to the page of its API, also below a path prefix. */
const SERVICE = new URL('./', document.baseURI);

/** The page of the API: every operation of the OpenAPI document, with a form that sends it. */
export function ApiPage(): JSX.Element {
  const [api, setApi] = useState<ApiDocument | string | null>(null);
  const [key, setKey] = useState('');
  const [words, setWords] = useState('');
  useEffect(() => {
    fetch(new URL('openapi.json', SERVICE)).then(
      async (response) => setApi((await response.json()) as ApiDocument),
      () => setApi('The description of the API cannot be loaded. Reload the page.'),
    );
  }, []);
  return (
    <>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href="./ui/">
          Footnote<sup>1</sup>
        </a>
        <nav aria-label="Pages">
          <a href="./ui/">Web page</a>
          <a href="./openapi.json">OpenAPI document</a>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {api === null ? (
          <>
            <h1>Footnote API</h1>
            <p class="loading" role="status">
              Loading…
            </p>
          </>
        ) : typeof api === 'string' ? (
          <>
            <h1>Footnote API</h1>
            <p class="box error" role="alert">
              {api}
            </p>
          </>
        ) : (
          <>
            <h1>
              Footnote API <span class="meta">{api.info.version}</span>
            </h1>
            <AnswerText text={api.info.description ?? ''} placeOf={() => undefined} />
            <div class="row">
              <label class="field">
                <span>API key</span>
                <input
                  type="password"
                  autocomplete="off"
                  value={key}
                  onInput={(event) => setKey(event.currentTarget.value.trim())}
                />
                <small>
                  For the requests below; the memory of this tab keeps it. Empty: the session of the
                  web page
                </small>
              </label>
              <label class="field">
                <span>Operations with</span>
                <input
                  type="search"
                  value={words}
                  onInput={(event) => setWords(event.currentTarget.value)}
                />
              </label>
            </div>
            <Operations api={api} words={words} apiKey={key} />
          </>
        )}
      </main>
    </>
  );
}

function Operations({
  api,
  words,
  apiKey,
}: {
  readonly api: ApiDocument;
  readonly words: string;
  readonly apiKey: string;
}): JSX.Element {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = [...endpointsByTag(api)]
    .map(([tag, endpoints]) => [tag, endpoints.filter((each) => matches(each, wanted))] as const)
    .filter(([, endpoints]) => endpoints.length > 0);
  const total = shown.reduce((sum, [, endpoints]) => sum + endpoints.length, 0);
  return (
    <>
      <p role="status">{counted(total, 'operation')}</p>
      {shown.map(([tag, endpoints]) => (
        <section key={tag} aria-label={tag}>
          <h2>{tag}</h2>
          <p class="meta">{api.tags?.find(({ name }) => name === tag)?.description}</p>
          {endpoints.map((endpoint) => (
            <Operation
              key={endpoint.operationId}
              api={api}
              endpoint={endpoint}
              service={SERVICE}
              apiKey={apiKey}
            />
          ))}
        </section>
      ))}
    </>
  );
}

function matches({ method, path, summary = '', tags = [] }: Endpoint, words: readonly string[]) {
  const text = `${method} ${path} ${summary} ${tags.join(' ')}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
