import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import {
  type ApiDocument,
  type ApiResponse,
  type Endpoint,
  resolvedResponse,
} from '../../logic/openapi.js';
import { AnswerText } from '../answer.js';
import { Schema } from './schema.js';
import { TryOut } from './try-out.js';

interface OperationProps {
  readonly api: ApiDocument;
  readonly endpoint: Endpoint;
  readonly service: URL;
  readonly apiKey: string;
}

/** An operation: its parameters, body and answers, and a form that sends it. */
export function Operation(props: OperationProps): JSX.Element {
  const { endpoint } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      class="box operation"
      id={endpoint.operationId}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <strong class="method">{endpoint.method.toUpperCase()}</strong> <code>{endpoint.path}</code>{' '}
        <span class="meta">{endpoint.summary}</span>
      </summary>
      {isOpen && <Details {...props} />}
    </details>
  );
}

function Details({ api, endpoint, service, apiKey }: OperationProps): JSX.Element {
  const [type, content] = Object.entries(endpoint.requestBody?.content ?? {})[0] ?? [];
  return (
    <>
      {endpoint.description !== undefined && (
        <AnswerText text={endpoint.description} placeOf={() => undefined} />
      )}
      {endpoint.security?.length === 0 && <p class="meta">Needs no credentials.</p>}
      <TryOut {...{ endpoint, service, apiKey }} bodyType={type} content={content} api={api} />
      {content?.schema && (
        <>
          <h3>
            Body <span class="meta">{type}</span>
          </h3>
          <Schema api={api} schema={content.schema} />
        </>
      )}
      <h3>Answers</h3>
      {Object.entries(endpoint.responses).map(([status, response]) => (
        <Answer key={status} api={api} status={status} response={resolvedResponse(api, response)} />
      ))}
    </>
  );
}

function Answer({
  api,
  status,
  response,
}: {
  readonly api: ApiDocument;
  readonly status: string;
  readonly response: ApiResponse;
}): JSX.Element {
  const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
  return (
    <details>
      <summary>
        <strong>{status}</strong> {response.description}
      </summary>
      {type !== undefined && <p class="meta">{type}</p>}
      {content?.schema && <Schema api={api} schema={content.schema} />}
    </details>
  );
}
