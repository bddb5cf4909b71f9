import { withTimeout } from '#platform';

interface Connectable {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/**
 * A client that is created on first use and discarded after any failure. A new one finds brokers
 * that moved, and an idempotent producer that lost its sequence cannot be recovered.
 */
export class Reconnecting<Client extends Connectable> {
  private current: Promise<Client> | undefined;

  constructor(
    private readonly make: () => Client,
    /** Timeout of connecting plus one piece of work, milliseconds. */
    private readonly timeoutMs: number,
  ) {}

  /**
   * @throws TimeoutError if it takes too long, with unknown outcome; otherwise the error of the
   * work.
   */
  async use<Result>(work: (client: Client) => Promise<Result>): Promise<Result> {
    const opening = (this.current ??= this.open());
    try {
      return await withTimeout(
        opening.then((client) => work(client)),
        this.timeoutMs,
        `Kafka did not answer within ${this.timeoutMs} ms`,
      );
    } catch (error) {
      if (this.current === opening) this.current = undefined;
      void release(opening);
      throw error;
    }
  }

  async close(): Promise<void> {
    const { current } = this;
    this.current = undefined;
    if (current)
      await withTimeout(release(current), this.timeoutMs, 'Closed late').catch(() => undefined);
  }

  private async open(): Promise<Client> {
    const client = this.make();
    try {
      await client.connect();
      return client;
    } catch (error) {
      void client.disconnect().catch(() => undefined);
      throw error;
    }
  }
}

async function release(opening: Promise<Connectable>): Promise<void> {
  await opening.then((client) => client.disconnect()).catch(() => undefined);
}
