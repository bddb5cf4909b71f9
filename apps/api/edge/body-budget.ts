/** A request body that is held in memory. */
export interface HeldBody {
  /** Counts further bytes of the body. May give up this body or others before it returns. */
  grow(bytes: number): void;
  /** The body arrived whole: it still counts, but is not given up any more. */
  complete(): void;
  /** The body is not held any more. Further calls change nothing. */
  release(): void;
}

interface Body {
  readonly holder: Holder;
  readonly giveUp: () => void;
  bytes: number;
  arriving: boolean;
  released: boolean;
}

interface Holder {
  readonly network: string;
  readonly bodies: Set<Body>;
  bytes: number;
}

/**
 * Bounds the bytes of request bodies whose senders showed no valid credentials, over all
 * connections. Beyond the bound the network that holds the most gives up its largest arriving body,
 * so a small delivery passes during a flood from elsewhere. Bytes count as they arrive, not as a
 * head declares them: declaring much and sending nothing costs others nothing.
 */
export class BodyBudget {
  private readonly holders = new Map<string, Holder>();
  private total = 0;

  /** @param limit bytes held at most, excluding the chunk that arrives last. */
  constructor(private readonly limit: number) {}

  /** Bytes held now. */
  get held(): number {
    return this.total;
  }

  /**
   * Begins to count a body.
   * @param network whom it counts for.
   * @param giveUp discards the body and answers its sender; called at most once.
   */
  begin(network: string, giveUp: () => void): HeldBody {
    const holder = this.holders.get(network) ?? { network, bodies: new Set<Body>(), bytes: 0 };
    this.holders.set(network, holder);
    const body: Body = { holder, giveUp, bytes: 0, arriving: true, released: false };
    holder.bodies.add(body);
    return {
      grow: (bytes) => this.grow(body, bytes),
      complete: () => (body.arriving = false),
      release: () => this.release(body),
    };
  }

  private grow(body: Body, bytes: number): void {
    if (body.released) return;
    body.bytes += bytes;
    body.holder.bytes += bytes;
    this.total += bytes;
    while (this.total > this.limit) {
      const largest = this.largest() ?? body;
      this.release(largest);
      largest.giveUp();
      if (largest === body) return;
    }
  }

  /**
   * Looks at each network and at each body of one: only beyond the bound, and never at more than
   * there are connections.
   */
  private largest(): Body | undefined {
    const holders = [...this.holders.values()].filter(({ bodies }) =>
      [...bodies].some(({ arriving }) => arriving),
    );
    const most = greatest(holders);
    return most && greatest([...most.bodies].filter(({ arriving }) => arriving));
  }

  private release(body: Body): void {
    if (body.released) return;
    body.released = true;
    const { holder } = body;
    holder.bodies.delete(body);
    holder.bytes -= body.bytes;
    this.total -= body.bytes;
    if (holder.bodies.size === 0) this.holders.delete(holder.network);
  }
}

function greatest<Sized extends { readonly bytes: number }>(
  all: readonly Sized[],
): Sized | undefined {
  return all.reduce<Sized | undefined>(
    (most, each) => (most && most.bytes >= each.bytes ? most : each),
    undefined,
  );
}
