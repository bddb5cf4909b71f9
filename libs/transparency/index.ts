export { AuditTrees } from './audit-trees.js';
export { CheckpointHistory, type SignedHead } from './checkpoint-history.js';
export { CheckpointStates } from './checkpoint-states.js';
export { createTransparency, type Transparency } from './create-transparency.js';
export { HeadSigner } from './head-signer.js';
export type { CheckpointKeeper } from './keepers/checkpoint-keeper.port.js';

export { cosignedBy } from './keepers/cosigned-by.js';
