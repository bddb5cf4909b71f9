import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import {
  type ApiContent,
  type ApiDocument,
  type ApiParameter,
  type Endpoint,
  requestPath,
  resolvedSchema,
  typeText,
} from '../../logic/openapi.js';
import { fieldTexts } from '../form-fields.js';
import { sendRequest, type Sent } from './send-request.js';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';

/** A form with the parameters and the body of an operation; sends it and shows the answer. */
export function TryOut({
  api,
  endpoint,
  service,
  apiKey,
  bodyType,
  content,
}: {
  readonly api: ApiDocument;
  readonly endpoint: Endpoint;
  readonly service: URL;
  readonly apiKey: string;
  readonly bodyType: string | undefined;
  readonly content: ApiContent | undefined;
}): JSX.Element {
  const [sent, setSent] = useState<Sent | 'busy' | null>(null);
  const { method, path, parameters = [] } = endpoint;
  const shown = parameters.filter(({ in: place }) => place !== 'cookie');
  const title = `${method.toUpperCase()} ${path}`;
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const values = fieldTexts(form);
    setSent('busy');
    const headers = Object.fromEntries(
      shown.flatMap(({ name, in: place }) =>
        place === 'header' && values[name] ? [[name.toLowerCase(), values[name]]] : [],
      ),
    );
    setSent(
      await sendRequest({
        service,
        method,
        path: requestPath(path, shown, values),
        headers,
        apiKey,
        body:
          bodyType === FORM_TYPE
            ? filesOf(form, Object.keys(fileFields(api, content)))
            : values['body'],
      }),
    );
  };
  return (
    <form class="try" aria-label={`Send ${title}`} onSubmit={(event) => void submit(event)}>
      {shown.length > 0 && (
        <div class="row">
          {shown.map((parameter) => (
            <Parameter key={parameter.name} parameter={parameter} />
          ))}
        </div>
      )}
      {bodyType === FORM_TYPE &&
        Object.entries(fileFields(api, content)).map(([name, isFile]) => (
          <label class="field" key={name}>
            <span>{name}</span>
            {isFile ? <input name={name} type="file" /> : <input name={name} />}
          </label>
        ))}
      {bodyType !== undefined && bodyType !== FORM_TYPE && (
        <label class="field">
          <span>Body</span>
          <textarea
            name="body"
            rows={bodyType === JSON_TYPE ? 6 : 3}
            spellcheck={false}
            defaultValue={
              typeof content?.example === 'string'
                ? content.example
                : JSON.stringify(content?.example ?? {}, null, 2)
            }
          />
        </label>
      )}
      <p class="row">
        <button class="primary" disabled={sent === 'busy'}>
          Send the request
        </button>
      </p>
      <div role="status">
        {sent === 'busy' && <p class="loading">Sending…</p>}
        {sent !== null && sent !== 'busy' && <Received sent={sent} title={title} />}
      </div>
    </form>
  );
}

function Received({ sent, title }: { readonly sent: Sent; readonly title: string }): JSX.Element {
  return (
    <>
      <p>
        <strong>{sent.status}</strong>{' '}
        <span class="meta">
          {sent.type} · {sent.milliseconds.toFixed(0)} ms
          {sent.isCut && ' · the answer is longer; its beginning is shown'}
        </span>
      </p>
      {sent.text !== '' && (
        <pre class="received" tabIndex={0} role="region" aria-label={`Answer of ${title}`}>
          <code>{sent.text}</code>
        </pre>
      )}
    </>
  );
}

function Parameter({ parameter }: { readonly parameter: ApiParameter }): JSX.Element {
  const { name, required = false, description, schema = {} } = parameter;
  const choices = schema.enum?.map(String);
  return (
    <label class="field parameter">
      <span>
        {name} {required && '(required)'}
      </span>
      {choices ? (
        <select name={name}>
          <option value="">–</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input name={name} required={required} />
      )}
      <small>
        {typeText(schema)}
        {schema.default !== undefined && `, default ${JSON.stringify(schema.default)}`}
        {description !== undefined && `. ${description}`}
      </small>
    </label>
  );
}

/** Returns the fields of a form with files; true for a file. */
function fileFields(
  api: ApiDocument,
  content: ApiContent | undefined,
): Readonly<Record<string, boolean>> {
  const { properties = {} } = resolvedSchema(api, content?.schema ?? {});
  return Object.fromEntries(
    Object.entries(properties).map(([name, { format }]) => [name, format === 'binary']),
  );
}

function filesOf(form: HTMLFormElement, names: readonly string[]): FormData {
  const data = new FormData();
  for (const [name, value] of new FormData(form)) {
    if (names.includes(name) && value !== '') data.append(name, value);
  }
  return data;
}
