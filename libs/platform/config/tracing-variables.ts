import { httpUrl, InvalidValueError, text } from './parsers.js';
import { optional, variable } from './variable.js';

/** Variables of traces, with the names that OpenTelemetry gives them. */
export const TRACING_VARIABLES = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    httpUrl,
    'Collector that receives traces by OTLP over HTTP (JSON), such as `http://localhost:4318`; `/v1/traces` is appended. No traces if unset.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    headers,
    'Headers of requests to the collector, as `name=value`, separated by commas; values are percent-decoded.',
    true,
  ),
  OTEL_SERVICE_NAME: variable(text, 'footnote', 'Name of this service in traces.'),
  OTEL_TRACES_SAMPLER_ARG: variable(
    share,
    '1',
    'Share of the traces that are recorded, from 0 to 1. Requests with a `traceparent` follow its decision.',
  ),
} as const;

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

/** Reads headers in the form of the OpenTelemetry specification. */
function headers(value: string): Readonly<Record<string, string>> {
  const entries = value.split(',').map((pair) => {
    const [, name = '', text = ''] = /^([^=]*)=(.*)$/s.exec(pair) ?? [];
    return [name.trim(), decoded(text.trim())] as const;
  });
  const isValid = entries.every(
    ([name, text]) => HEADER_NAME.test(name) && text !== undefined && HEADER_VALUE.test(text),
  );
  if (!isValid) throw new InvalidValueError('headers such as authorization=Bearer%20abc');
  return Object.fromEntries(entries) as Record<string, string>;
}

function decoded(value: string): string | undefined {
  try {
    return decodeURIComponent(value);
  } catch {
    return undefined;
  }
}

function share(value: string): number {
  const parsed = /^\d{1,3}(\.\d{1,15})?$/.test(value) ? Number(value) : NaN;
  if (!(parsed >= 0 && parsed <= 1)) throw new InvalidValueError('a number from 0 to 1');
  return parsed;
}
