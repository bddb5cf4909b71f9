import type { TimeSlices } from '#platform';

import { type RobotsRule, RobotsRules } from './robots-rules.js';

/** Sitemaps that are read from one file. */
const MOST_SITEMAPS = 500;
const LONGEST_URL = 2_048;
/** The key of the group for every robot without a group of its own. */
const EVERYBODY = '*';

export interface Robots {
  readonly rules: RobotsRules;
  /** Seconds; undefined when the file names none. */
  readonly crawlDelay: number | undefined;
  readonly sitemaps: readonly string[];
}

interface Group {
  /** A group without a rule or delay does not count. */
  counts: boolean;
  readonly rules: RobotsRule[];
  delay: number | undefined;
}

/**
 * Reads a robots.txt line by line, and yields to the event loop whenever a slice is used up. Groups
 * of one robot are joined.
 *
 * @param robot name in lower case. Its group applies, or else the group of `*`.
 */
export async function parseRobots(
  text: string,
  robot: string,
  slices: TimeSlices,
): Promise<Robots> {
  const groups = new Map([robot, EVERYBODY].map((name) => [name, emptyGroup()]));
  const sitemaps: string[] = [];
  let current = new Set<Group>();
  let namesRobots = false;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    if (slices.isUsedUp) await slices.pause();
    const { key, value } = fieldOf(line);
    if (key === '') continue;
    if (key === 'user-agent') {
      const group = groups.get(robotName(value));
      if (!namesRobots) current = new Set();
      if (group) current.add(group);
    } else if (key === 'disallow' || key === 'allow') {
      for (const group of current) {
        group.counts = true;
        if (value !== '') group.rules.push({ pattern: value, allow: key === 'allow' });
      }
    } else if (key === 'crawl-delay') setDelay(current, Number(value));
    else if (
      key === 'sitemap' &&
      value !== '' &&
      value.length <= LONGEST_URL &&
      sitemaps.length < MOST_SITEMAPS
    ) {
      sitemaps.push(value);
    }
    namesRobots = key === 'user-agent';
  }
  const own = groups.get(robot) as Group;
  const { rules, delay } = own.counts ? own : (groups.get(EVERYBODY) as Group);
  return { rules: await RobotsRules.of(rules, slices), crawlDelay: delay, sitemaps };
}

function emptyGroup(): Group {
  return { counts: false, rules: [], delay: undefined };
}

function fieldOf(line: string): { readonly key: string; readonly value: string } {
  const comment = line.indexOf('#');
  const content = comment === -1 ? line : line.slice(0, comment);
  const colon = content.indexOf(':');
  if (colon === -1) return { key: '', value: '' };
  return {
    key: content.slice(0, colon).trim().toLowerCase(),
    value: content.slice(colon + 1).trim(),
  };
}

/** Returns the name of a robot; rules may name it with its version. */
function robotName(value: string): string {
  const name = value.toLowerCase();
  const slash = name.indexOf('/');
  return (slash === -1 ? name : name.slice(0, slash)).trim();
}

function setDelay(groups: Iterable<Group>, delay: number): void {
  for (const group of groups) {
    group.counts = true;
    if (!Number.isNaN(delay)) group.delay = delay;
  }
}
