import type { ApiClient } from '#test/support/api-client';
import { ON_STACK } from '#test/support/stack/stack-environment';

import { LoadClient } from './load-client.js';
import { distribution, inParallel, timed } from './measure.js';
import { makeQueries } from './queries.js';
import type { Figure } from './report.js';

const QUERIES = 1_000;
const WARM_UP = 200;
const CLIENTS = [1, 8, 32];
/** The 95th percentile to reach with one client when candidates come from a server. */
const SERVER_TARGET_MS = 60;
/** While this many clients search, something that needs no search is asked again and again. */
const CROWD = 8;
const PROBE_PAUSE_MS = 10;

/** The same searches, by one client after the other and by several at once. */
export class SearchLoad {
  private sender: LoadClient;

  private constructor(
    private client: ApiClient,
    private readonly queries: readonly string[],
  ) {
    this.sender = new LoadClient(client);
  }

  /** Makes queries from what the client can find, and warms up with some of them. */
  static async prepare(client: ApiClient): Promise<SearchLoad> {
    const load = new SearchLoad(client, await makeQueries(client, QUERIES + WARM_UP));
    await inParallel(1, WARM_UP, (index) => load.search(index));
    return load;
  }

  /**
   * A figure for each number of clients.
   * @param target the 95th percentile to reach with one client on embedded engines; undefined when
   * there is none.
   */
  async measure(
    size: string,
    chunks: number,
    target: number | undefined,
    say: (line: string) => void,
  ): Promise<readonly Figure[]> {
    const figures: Figure[] = [];
    for (const clients of CLIENTS) {
      say(`${QUERIES} searches, ${clients} clients`);
      const probe = clients === CROWD ? this.probe() : undefined;
      const { milliseconds, result } = await timed(() =>
        inParallel(clients, QUERIES, (index) => this.search(WARM_UP + index)),
      );
      const times = distribution(result);
      const perSecond = (QUERIES / milliseconds) * 1_000;
      const limit = ON_STACK ? SERVER_TARGET_MS : target;
      figures.push({
        what: `POST /search at ${size}, ${clients} client${clients === 1 ? '' : 's'}`,
        measured: `p50 ${times.p50.toFixed(1)} ms, p95 ${times.p95.toFixed(1)} ms, p99 ${times.p99.toFixed(1)} ms, ${perSecond.toFixed(0)}/s`,
        ...(clients === 1 && limit !== undefined
          ? { target: `p95 ≤ ${limit} ms`, met: times.p95 <= limit }
          : {}),
        raw: { ...times, perSecond, chunks, clients },
      });
      if (probe) figures.push(await probe(size));
    }
    return figures;
  }

  /** The searches of a crowd without figures, after a restart. */
  async again(client: ApiClient): Promise<void> {
    this.sender.close();
    this.client = client;
    this.sender = new LoadClient(client);
    await inParallel(CROWD, QUERIES, (index) => this.search(index));
  }

  private async search(index: number): Promise<void> {
    await this.sender.search(this.queries[index % this.queries.length] ?? '');
  }

  /**
   * Requests liveness until it is called, and reports the durations of the answers, which show how
   * free the event loop is.
   */
  private probe(): (size: string) => Promise<Figure> {
    const end = new AbortController();
    const times: number[] = [];
    const asking = (async () => {
      while (!end.signal.aborted) {
        times.push((await timed(() => this.client.expect('GET', '/health/live'))).milliseconds);
        await new Promise((resolve) => setTimeout(resolve, PROBE_PAUSE_MS));
      }
    })();
    return async (size) => {
      end.abort();
      await asking;
      const { p50, p95, p99 } = distribution(times);
      return {
        what: `GET /health/live while ${CROWD} clients search ${size}`,
        measured: `p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
        raw: { p50, p95, p99 },
      };
    };
  }
}
