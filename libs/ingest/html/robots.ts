import { isStageFailure } from '#contracts';
import { TimeSlices } from '#platform';

import { parseRobots, type Robots } from './parse-robots.js';
import type { PoliteClient } from './polite-client.js';

/** Name under which rules are looked up. */
const ROBOT = 'Footnote';
const MAX_BYTES = 512 * 1024;
/**
 * Longest delay that is respected, milliseconds. With a longer one, a site of a thousand pages
 * would take hours.
 */
const LONGEST_DELAY_MS = 10_000;

/** Rules of sites for crawlers; each site is asked once. */
export class RobotRules {
  private readonly known = new Map<string, Promise<Robots>>();

  /** @param slices time slices of the sync, which its decisions share. */
  constructor(
    private readonly client: PoliteClient,
    private readonly slices = new TimeSlices(),
  ) {}

  async allows(url: string): Promise<boolean> {
    const { rules } = await this.of(url);
    const { pathname, search } = new URL(url);
    return rules.allows(pathname + search, this.slices);
  }

  /** Returns the sitemaps that the site of a URL declares. */
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
   * Reads the rules of a site. A site without rules allows everything; one whose rules are
   * unavailable is not crawled now. @throws StageFailure
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
