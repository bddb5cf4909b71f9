import kafkajs, { type Assigner, type GroupMember, type PartitionAssigner } from 'kafkajs';

const { MemberAssignment, MemberMetadata } = kafkajs.AssignerProtocol;

/** Part of the protocol between members: all of a group must share one. */
const NAME = 'footnote-sticky';
const VERSION = 0;

interface Claim {
  readonly memberId: string;
  /** The member's partitions until now. */
  readonly partitions: readonly number[];
}

/**
 * Assigns partitions evenly and moves as few as that allows. The client's own strategy assigns all
 * of them again whenever a process joins or leaves, and each moved partition interrupts work in
 * hand. Members report their partitions to the leader.
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

/** Parts that the client's types omit. */
interface PartitionsOf {
  findTopicPartitionMetadata(topic: string): { readonly partitionId: number }[];
}

/**
 * Lets each member keep its partitions up to an even share; the rest goes to those with the fewest.
 * Partitions that two members claim, for example after a lost connection, stay with one of them.
 */
export function shareOut(
  partitions: readonly number[],
  claims: readonly Claim[],
): Map<string, number[]> {
  const least = Math.floor(partitions.length / claims.length);
  /** Number of members that may have one more than the others. */
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

/** Returns the claim of a member; none if it is unreadable. */
function claimOf({ memberId, memberMetadata }: GroupMember): Claim {
  try {
    const claimed: unknown = JSON.parse(String(MemberMetadata.decode(memberMetadata)?.userData));
    if (Array.isArray(claimed) && claimed.every((item) => Number.isInteger(item))) {
      return { memberId, partitions: [...new Set(claimed as number[])] };
    }
  } catch {
    // Falls through: it is treated like a new member.
  }
  return { memberId, partitions: [] };
}
