export { AuditTrees } from './audit-trees.js';
export { CheckpointHistory, type SignedHead } from './checkpoint-history.js';
export { CheckpointStates } from './checkpoint-states.js';
export { createTransparency, type Transparency } from './create-transparency.js';
export { HeadSigner } from './head-signer.js';
