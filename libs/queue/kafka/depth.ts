import type { Admin } from 'kafkajs';

interface Backlog {
  readonly partition: number;
  /** The first unfinished record. */
  readonly offset: bigint;
  readonly waiting: number;
}

/** No topic of this service keeps records for longer. */
const OLDEST_MS = 40 * 86_400_000;
const FIRST_STEP_MS = 250;
/** The age is reported to a tenth of itself. */
const PRECISION = 10;

/**
 * Returns how many records of a group are unfinished, and how long the oldest has waited, to a
 * tenth of its age. Requests only offsets: to read the record itself, a consumer would have to join
 * a group.
 */
export async function depthOf(
  admin: Admin,
  topic: string,
  groupId: string,
  now: number,
): Promise<{ waiting: number; oldestAgeMs: number | null }> {
  const backlogs = await backlogOf(admin, topic, groupId);
  const waiting = backlogs.reduce((sum, backlog) => sum + backlog.waiting, 0);
  if (waiting === 0) return { waiting, oldestAgeMs: null };
  return { waiting, oldestAgeMs: await oldestAge(admin, topic, backlogs, now) };
}

async function backlogOf(admin: Admin, topic: string, groupId: string): Promise<Backlog[]> {
  const [ends, groups] = await Promise.all([
    admin.fetchTopicOffsets(topic),
    admin.fetchOffsets({ groupId, topics: [topic] }),
  ]);
  const committed = new Map(
    groups[0]?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]),
  );
  const backlogs = ends.map(({ partition, low, high }) => {
    const own = committed.get(partition) ?? -1n;
    const offset = own < BigInt(low) ? BigInt(low) : own;
    return { partition, offset, waiting: Math.max(0, Number(BigInt(high) - offset)) };
  });
  return backlogs.filter(({ waiting }) => waiting > 0);
}

/**
 * Searches back in growing steps until nothing unfinished is older, then narrows the last step
 * down.
 */
async function oldestAge(
  admin: Admin,
  topic: string,
  backlogs: readonly Backlog[],
  now: number,
): Promise<number> {
  const isOlderThan = async (age: number): Promise<boolean> => {
    const since = new Map(
      (await admin.fetchTopicOffsetsByTimestamp(topic, now - age)).map(({ partition, offset }) => [
        partition,
        BigInt(offset),
      ]),
    );
    return backlogs.some(({ partition, offset }) => (since.get(partition) ?? 0n) > offset);
  };
  let younger = 0;
  let older = FIRST_STEP_MS;
  while (older < OLDEST_MS && (await isOlderThan(older))) {
    younger = older;
    older *= 2;
  }
  while (younger > 0 && older - younger > younger / PRECISION) {
    const middle = Math.round((younger + older) / 2);
    if (await isOlderThan(middle)) younger = middle;
    else older = middle;
  }
  return younger;
}
