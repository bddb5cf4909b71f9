import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

import { sleep } from '#platform';
import { openStream, readFrames } from '#test/support/api/read-stream';
import { ROOMY } from '#test/support/limits';
import { OpenAiEndpoint } from '#test/support/openai-endpoint';
import { TwoTenantService } from '#test/support/two-tenants';

import { fillTo } from '../corpus.js';
import { type Distribution, distribution, residentMiB, timed } from '../measure.js';
import { makeQueries } from '../queries.js';
import type { Figure } from '../report.js';
import type { BenchContext, Scenario } from './scenario.js';

const CHUNKS = 50_000;
const QUESTIONS = 300;
const WARM_UP = 50;
const STALLED = 200;
const WAVES = 3;
/**
 * The most memory for 200 clients that do not read: 2 MiB each, for pending text, the answer so far
 * and its sealing.
 */
const MOST_MIB = 400;
/** And what as many more after them may add. */
const MORE_MIB = 64;
const RELEASE_MS = 10_000;

/**
 * Measures the time that chat adds to its model until the first word, and the cost of clients that
 * do not read their answers.
 */
export const chatScenario: Scenario = {
  name: 'chat',
  async run({ repositories, scratch, sizes, say }: BenchContext): Promise<readonly Figure[]> {
    const endpoint = await OpenAiEndpoint.start();
    const service = await TwoTenantService.start({
      ...ROOMY,
      CHAT_MODEL: 'scripted',
      CHAT_BASE_URL: endpoint.url,
      CHAT_TIMEOUT_SECONDS: '60',
      STREAMS_PER_TENANT: String(STALLED),
      STREAMS_IN_ALL: String(STALLED),
    });
    try {
      const [size = CHUNKS] = sizes ?? [];
      say(`filling to ${size} chunks`);
      const { chunks } = await fillTo(service.first, repositories, size, scratch);
      const questions = await makeQueries(service.first, WARM_UP + QUESTIONS);
      return [
        await firstTokens(service, endpoint, questions, chunks),
        await stalled(service, endpoint, questions, say),
      ];
    } finally {
      await service.dispose();
      await endpoint.close();
    }
  },
};

function stream(service: TwoTenantService, query: string): Promise<IncomingMessage> {
  const port = Number(new URL(service.url).port);
  return openStream(port, '/chat/stream', { key: service.key, body: { query } });
}

/**
 * Measures from the request to the first token, without the time that the model took from its
 * request to its own first token. In turn it measures a search for another of the questions, which
 * is most of that time.
 */
async function firstTokens(
  service: TwoTenantService,
  endpoint: OpenAiEndpoint,
  questions: readonly string[],
  chunks: number,
): Promise<Figure> {
  const added: number[] = [];
  const models: number[] = [];
  const searches: number[] = [];
  for (const [at, question] of questions.entries()) {
    const asked = endpoint.chatTimes.length;
    const began = performance.now();
    const response = await stream(service, question);
    await readFrames(response, 1);
    const milliseconds = performance.now() - began;
    response.destroy();
    const of = endpoint.chatTimes[asked];
    const other = questions[(at + (questions.length >> 1)) % questions.length] ?? question;
    const search = await timed(() => service.first.search(other));
    // Where nothing was found no model was asked.
    if (at < WARM_UP || !of) continue;
    added.push(milliseconds - (of.toldAt - of.at));
    models.push(of.toldAt - of.at);
    searches.push(search.milliseconds);
  }
  const [times, model, search] = [
    distribution(added),
    distribution(models),
    distribution(searches),
  ];
  const reported = ({ p50, p95 }: Distribution): string =>
    `p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms`;
  return {
    what: `POST /chat/stream until the first token, less the model's own, at ${chunks} chunks; the model's own; POST /search in turn`,
    measured: `${reported(times)}, p99 ${times.p99.toFixed(1)} ms; ${reported(model)}; ${reported(search)}`,
    target: 'p95 ≤ 25 ms',
    met: times.count > 0 && times.p95 <= 25,
    raw: {
      ...times,
      chunks,
      modelP50: model.p50,
      modelP95: model.p95,
      searchP50: search.p50,
      searchP95: search.p95,
    },
  };
}

/**
 * Streams whose clients never read what they asked for, of a model that says more than anybody
 * takes.
 */
async function stalled(
  service: TwoTenantService,
  endpoint: OpenAiEndpoint,
  questions: readonly string[],
  say: (line: string) => void,
): Promise<Figure> {
  const [question = 'configuration'] = questions;
  const resident = () => residentMiB(service.service.pid) ?? 0;
  const before = resident();
  const waves: {
    readonly most: number;
    readonly working: number;
    readonly released: number | null;
  }[] = [];
  for (let wave = 1; wave <= WAVES; wave += 1) {
    say(`${STALLED} clients that do not read, wave ${wave}`);
    endpoint.always = { kind: 'endless' };
    const responses = await Promise.all(
      Array.from({ length: STALLED }, () => stream(service, question)),
    );
    for (const response of responses) response.pause();
    let most = 0;
    for (let waited = 0; waited < RELEASE_MS; waited += 100) {
      most = Math.max(most, resident());
      await sleep(100);
    }
    const working = endpoint.active;
    for (const response of responses) response.destroy();
    waves.push({ most, working, released: await untilReleased(service, endpoint, question) });
  }
  const [first = 0, ...others] = waves.map(({ most }) => most - before);
  const more = Math.max(...others) - first;
  const working = Math.max(...waves.map((wave) => wave.working));
  const released = Math.max(...waves.map((wave) => wave.released ?? Infinity));
  return {
    what: `${STALLED} stream clients that do not read, ${WAVES} waves: memory above what it was at the first, and what later ones add; model requests left while they stay; all slots free again after they leave`,
    measured: `${first.toFixed(0)} MiB, ${more.toFixed(0)} MiB; ${working}; ${released.toFixed(0)} ms`,
    target: `≤ ${MOST_MIB} MiB, ≤ ${MORE_MIB} MiB; 0; ≤ ${RELEASE_MS / 1_000} s`,
    met: first <= MOST_MIB && more <= MORE_MIB && working === 0 && released <= RELEASE_MS,
    raw: { first, more, working, released, after: resident() },
  };
}

/**
 * Milliseconds until as many streams as there are slots can be open at once; null where that does
 * not come.
 */
async function untilReleased(
  service: TwoTenantService,
  endpoint: OpenAiEndpoint,
  question: string,
): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < RELEASE_MS) {
    endpoint.always = { kind: 'stall' };
    const responses = await Promise.all(
      Array.from({ length: STALLED }, () => stream(service, question)),
    );
    const taken = responses.every(({ statusCode }) => statusCode === 200);
    const ended = responses.map(async (response) => {
      const closed = once(response, 'close');
      response.destroy();
      await closed;
    });
    await Promise.all(ended);
    endpoint.always = undefined;
    if (taken) return performance.now() - began;
    await sleep(100);
  }
  return null;
}
