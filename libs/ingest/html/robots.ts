import { isStageFailure } from '#contracts';
import { TimeSlices } from '#platform';

import { parseRobots, type Robots } from './parse-robots.js';
import type { PoliteClient } from './polite-client.js';

/** The name that rules are looked up by. */
const ROBOT = 'Footnote';
const MAX_BYTES = 512 * 1024;
/** A longer delay is not kept to: a site of a thousand pages would take hours. Milliseconds. */
const LONGEST_DELAY_MS = 10_000;

/** What the sites ask of those who crawl them; each is asked once. */
export class RobotRules {
  private readonly known = new Map<string, Promise<Robots>>();

  /** @param slices of the sync, which its decisions share. */
  constructor(
    private readonly client: PoliteClient,
    private readonly slices = new TimeSlices(),
  ) {}

  async allows(url: string): Promise<boolean> {
    const { rules } = await this.of(url);
    const { pathname, search } = new URL(url);
    return rules.allows(pathname + search, this.slices);
  }

  /** Where the site of a URL says that its sitemaps are. */
  async sitemaps(url: string): Promise<readonly string[]> {
    return (await this.of(url)).sitemaps;
  }

  private of(url: string): Promise<Robots> {
    const { origin } = new URL(url);
    let rules = this.known.get(origin);
    if (!rules) this.known.set(origin, (rules = this.read(`${origin}/robots.txt`, url)));
    return rules;
  }

  /**
   * A site without rules allows all; one that cannot say is not crawled now. @throws StageFailure
   */
  private async read(url: string, onBehalfOf: string): Promise<Robots> {
    const robots = await parseRobots(
      await this.text(url, onBehalfOf),
      ROBOT.toLowerCase(),
      this.slices,
    );
    const delay = robots.crawlDelay ?? 0;
    if (delay > 0) this.client.slowDown(Math.min(delay * 1_000, LONGEST_DELAY_MS));
    return robots;
  }

  private async text(url: string, onBehalfOf: string): Promise<string> {
    try {
      const accept = 'text/plain, */*;q=0.5';
      const answer = await this.client.get(url, { maxBytes: MAX_BYTES, accept, onBehalfOf });
      return answer.kind === 'document' ? Buffer.from(answer.bytes).toString('utf8') : '';
    } catch (error) {
      if (isStageFailure(error) && !error.retryable && error.details?.status_code !== undefined)
        return '';
      throw error;
    }
  }
}
