import { afterAll, beforeAll } from '@jest/globals';

import type { CheckpointMode } from '../subscription.js';
import { appendConformance } from './append.conformance.js';
import { readConformance } from './read.conformance.js';
import { emptyLogConformance, subscribeConformance } from './subscribe.conformance.js';
import { Witness } from './witness.js';

/**
 * Checks the answers of EventStoreDB to its official client, which the test server repeats. The
 * facts are those of 24.2.0; the checkpoints from 24.10.5 on are those of its source. The log has
 * to be new.
 */
export function conformance(url: () => string, checkpoints: CheckpointMode): void {
  const witness = witnessOf(url);
  emptyLogConformance(witness, checkpoints);
  appendConformance(witness);
  readConformance(witness);
  subscribeConformance(witness, checkpoints);
}

/** The part of it that servers answer differently by their checkpoints. */
export function checkpointConformance(url: () => string, checkpoints: CheckpointMode): void {
  const witness = witnessOf(url);
  emptyLogConformance(witness, checkpoints);
  subscribeConformance(witness, checkpoints);
}

function witnessOf(url: () => string): () => Witness {
  let asked: Witness;
  beforeAll(() => {
    asked = new Witness(url());
  });
  afterAll(() => asked.client.dispose());
  return () => asked;
}
