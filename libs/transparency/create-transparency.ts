import type { EventStore } from '#event-store';
import type { Clock, KeyRing } from '#platform';
import type { ReadModel } from '#read-model';

import { AuditTrees } from './audit-trees.js';
import { CheckpointHistory } from './checkpoint-history.js';
import { CheckpointStates } from './checkpoint-states.js';
import { HeadSigner } from './head-signer.js';
import { SigningKeys } from './signing-keys.js';

export interface TransparencyDependencies {
  readonly store: EventStore;
  readonly readModel: Pick<ReadModel, 'ask' | 'waitFor'>;
  readonly keyRing: KeyRing;
  readonly clock: Clock;
}

/** Everything that signs, reads and proves the trees of tenants. */
export interface Transparency {
  readonly trees: AuditTrees;
  readonly states: CheckpointStates;
  readonly history: CheckpointHistory;
  readonly signer: HeadSigner;
}

/** Composes the parts over the engines of a process. */
export function createTransparency(dependencies: TransparencyDependencies): Transparency {
  const { store } = dependencies;
  const trees = new AuditTrees(dependencies);
  const states = new CheckpointStates(store);
  const keys = new SigningKeys(dependencies);
  const signer = new HeadSigner({ ...dependencies, trees, keys, states, witnesses: [] });
  return { trees, states, history: new CheckpointHistory(store), signer };
}
