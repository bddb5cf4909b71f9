import { parseArgs } from 'node:util';

import { OpenAiEndpoint } from './openai-endpoint.js';

/**
 * Runs the stand-in as a process:
 * `node dist/test/support/openai-endpoint-main.js --port 9400 --latency 100`.
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    latency: { type: 'string', default: '0' },
    dimensions: { type: 'string', default: '64' },
    'fail-every': { type: 'string', default: '0' },
    baseline: { type: 'string', default: '0' },
  },
});
const endpoint = await OpenAiEndpoint.start({
  port: Number(values.port),
  latencyMs: Number(values.latency),
  dimensions: Number(values.dimensions),
  failEvery: Number(values['fail-every']),
  baseline: Number(values.baseline),
});
console.log(endpoint.url);
process.once('SIGTERM', () => void endpoint.close());
process.once('SIGINT', () => void endpoint.close());
