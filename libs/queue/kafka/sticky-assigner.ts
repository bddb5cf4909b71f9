import kafkajs, { type Assigner, type GroupMember, type PartitionAssigner } from 'kafkajs';

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;

/** Part of the protocol between members: all of a group must share one. */
const NAME = 'footnote-sticky';
const VERSION = 0;

interface Claim {
  readonly memberId: string;
  /** What the member had until now. */
  readonly partitions: readonly number[];
}

/**
 * Shares out partitions evenly and moves as few as that allows: the client's own way deals them out
 * anew whenever a process comes or goes, and work in hand is taken away with each partition that
 * moves. Members tell the leader what they have.
 */
export function stickyAssigner(owned: () => readonly number[]): PartitionAssigner {
  return ({ cluster }): Assigner => ({
    name: NAME,
    version: VERSION,
    protocol: ({ topics }) => ({
      name: NAME,
      metadata: MemberMetadata.encode({
        version: VERSION,
        topics,
        userData: Buffer.from(JSON.stringify(owned())),
      }),
    }),
    assign: async ({ members, topics }) => {
      const claims = members.map(claimOf);
      const shares = topics.map((topic) => {
        const found = (cluster as unknown as PartitionsOf).findTopicPartitionMetadata(topic);
        const partitions = found.map(({ partitionId }) => partitionId);
        return { topic, share: shareOut(partitions, claims) };
      });
      return members.map(({ memberId }) => {
        const assignment = Object.fromEntries(
          shares.map(({ topic, share }) => [topic, share.get(memberId) ?? []]),
        );
        const memberAssignment = MemberAssignment.encode({
          version: VERSION,
          assignment,
          userData: Buffer.alloc(0),
        });
        return { memberId, memberAssignment };
      });
    },
  });
}

/** What the client's types leave out. */
interface PartitionsOf {
  findTopicPartitionMetadata(topic: string): { readonly partitionId: number }[];
}

/**
 * Each member keeps what it has up to an even share; what is over goes to those with the least.
 * Partitions that two members claim, as after a break in the connection, stay with one of them.
 */
export function shareOut(
  partitions: readonly number[],
  claims: readonly Claim[],
): Map<string, number[]> {
  const least = Math.floor(partitions.length / claims.length);
  /** How many members may have one more than the least. */
  let extras = partitions.length % claims.length;
  const free = new Set(partitions);
  const shares = new Map<string, number[]>();
  const byClaim = [...claims].sort(
    (a, b) => b.partitions.length - a.partitions.length || order(a, b),
  );
  for (const { memberId, partitions: claimed } of byClaim) {
    const kept = claimed
      .filter((partition) => free.has(partition))
      .slice(0, least + (extras > 0 ? 1 : 0));
    if (kept.length > least) extras -= 1;
    for (const partition of kept) free.delete(partition);
    shares.set(memberId, kept);
  }
  for (const partition of free) {
    const [poorest] = [...shares.values()].sort((a, b) => a.length - b.length);
    poorest?.push(partition);
  }
  return shares;
}

function order(a: Claim, b: Claim): number {
  return a.memberId < b.memberId ? -1 : 1;
}

/** A claim that cannot be read claims nothing. */
function claimOf({ memberId, memberMetadata }: GroupMember): Claim {
  try {
    const claimed: unknown = JSON.parse(String(MemberMetadata.decode(memberMetadata)?.userData));
    if (Array.isArray(claimed) && claimed.every((item) => Number.isInteger(item))) {
      return { memberId, partitions: [...new Set(claimed as number[])] };
    }
  } catch {
    // Falls through: it is dealt with like a new member.
  }
  return { memberId, partitions: [] };
}
