import type { Clock, Config, LockedCopies } from '#platform';

import type { AuditTrees } from '../audit-trees.js';
import type { CheckpointKeeper } from './checkpoint-keeper.port.js';
import type { ConfiguredWitness } from './configured-witnesses.js';
import { LockedKeeper } from './locked-keeper.js';
import { witnessHttp } from './witness-http.js';
import { WitnessKeeper } from './witness-keeper.js';

type Copies = NonNullable<Config['audit']['copies']>;

export interface ConfiguredKeepersDependencies {
  readonly trees: AuditTrees;
  readonly witnesses: readonly ConfiguredWitness[];
  /** Undefined: checkpoints are not copied. */
  readonly copies: Copies | undefined;
  readonly clock: Pick<Clock, 'now'>;
}

/** Returns the places outside that get the checkpoints. */
export function configuredKeepers({
  trees,
  witnesses,
  copies,
  clock,
}: ConfiguredKeepersDependencies): readonly CheckpointKeeper[] {
  const keepers: CheckpointKeeper[] = witnesses.map(
    ({ key, url }) => new WitnessKeeper({ key, connection: witnessHttp(url), trees }),
  );
  if (copies)
    keepers.push(new LockedKeeper({ copies: openedLater(copies), clock, days: copies.days }));
  return keepers;
}

/** Loads the client at the first copy, since most processes never copy. */
function openedLater(settings: Copies): LockedCopies {
  let opened: Promise<LockedCopies> | null = null;
  return {
    place: settings.bucket,
    put: async (key, bytes, until) => {
      opened ??= import('#platform/locked-copies/s3-locked-copies').then(
        ({ S3LockedCopies }) => new S3LockedCopies(settings),
      );
      await (await opened).put(key, bytes, until);
    },
  };
}
