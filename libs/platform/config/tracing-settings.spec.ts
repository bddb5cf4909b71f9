import { describe, expect, it } from '@jest/globals';

import { loadConfig } from './load-config.js';

const ENDPOINT = 'http://collector.example:4318';
const load = (values: Readonly<Record<string, string>>) => loadConfig(values, '/nowhere').tracing;

describe('the settings of traces', () => {
  it('are undefined without a collector, whatever else is set', () => {
    expect(load({ OTEL_SERVICE_NAME: 'docs' })).toBeUndefined();
  });

  it('name the path for traces at the collector', () => {
    const settings = { headers: {}, serviceName: 'footnote', share: 1 };
    const url = `${ENDPOINT}/v1/traces`;
    expect(load({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT })).toEqual({ url, ...settings });
    expect(load({ OTEL_EXPORTER_OTLP_ENDPOINT: `${ENDPOINT}/` })).toEqual({ url, ...settings });
  });

  it('read headers as the specification of OpenTelemetry writes them', () => {
    const text = 'authorization=Bearer%20a=b, x-team=docs';
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: text };
    expect(load(given)?.headers).toEqual({ authorization: 'Bearer a=b', 'x-team': 'docs' });
  });

  it.each(['authorization', '=x', 'a b=c', 'a=%zz', 'a=%0d%0ab', ','])(
    'reject headers such as %j without showing them',
    (headers) => {
      expect(() => load({ OTEL_EXPORTER_OTLP_HEADERS: headers })).toThrow(
        'OTEL_EXPORTER_OTLP_HEADERS must be headers such as authorization=Bearer%20abc (the given value is not shown)',
      );
    },
  );

  it.each(['0', '1', '0.25', '1.0'])('accept the share %s', (share) => {
    const given = { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_TRACES_SAMPLER_ARG: share };
    expect(load(given)?.share).toBe(Number(share));
  });

  it.each(['1.01', '-0.1', '2', '1e-3', 'half', '.5'])('reject the share %s', (share) => {
    expect(() => load({ OTEL_TRACES_SAMPLER_ARG: share })).toThrow(
      'OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1',
    );
  });
});
