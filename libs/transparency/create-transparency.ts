import type { EventStore } from '#event-store';
import type { Clock, Config, KeyRing } from '#platform';
import type { ReadModel } from '#read-model';

import { AuditTrees } from './audit-trees.js';
import { CheckpointHistory } from './checkpoint-history.js';
import { CheckpointStates } from './checkpoint-states.js';
import { HeadSigner } from './head-signer.js';
import type { CheckpointKeeper } from './keepers/checkpoint-keeper.port.js';
import { configuredKeepers } from './keepers/configured-keepers.js';
import { type ConfiguredWitness, configuredWitnesses } from './keepers/configured-witnesses.js';
import { SigningKeys } from './signing-keys.js';

export interface TransparencyDependencies {
  readonly store: EventStore;
  readonly readModel: Pick<ReadModel, 'ask' | 'waitFor'>;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
  readonly settings: Pick<Config['audit'], 'witnesses' | 'copies'>;
}

/** Everything that signs, reads and proves the trees of tenants. */
export interface Transparency {
  readonly trees: AuditTrees;
  readonly states: CheckpointStates;
  readonly history: CheckpointHistory;
  readonly signer: HeadSigner;
  readonly witnesses: readonly ConfiguredWitness[];
  /** Places outside that get the checkpoints. */
  readonly keepers: readonly CheckpointKeeper[];
}

/**
 * Composes the parts over the engines of a process.
 * @throws ConfigError for invalid witnesses.
 */
export function createTransparency(dependencies: TransparencyDependencies): Transparency {
  const { store } = dependencies;
  const trees = new AuditTrees(dependencies);
  const states = new CheckpointStates(store);
  const keys = new SigningKeys(dependencies);
  const witnesses = configuredWitnesses(dependencies.settings);
  const names = witnesses.map(({ key }) => key.name);
  const signer = new HeadSigner({ ...dependencies, trees, keys, states, witnesses: names });
  const { copies } = dependencies.settings;
  const keepers = configuredKeepers({ ...dependencies, trees, witnesses, copies });
  return { trees, states, history: new CheckpointHistory(store), signer, witnesses, keepers };
}
