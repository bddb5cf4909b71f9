/**
 * Asks a real server the questions that the test server answers, to show that the test server
 * behaves like it. `CONFORMANCE_EVENTSTORE_URL` names a server whose log is new.
 * `CONFORMANCE_EVENTSTORE_CHECKPOINTS` is `from-24.10.5` for a server as new as that. Neither
 * begins with EVENTSTORE_, since EventStoreDB takes every such variable for an option of its own.
 */
import { describeWhen } from '../support/describe-when.js';
import { conformance } from '../support/eventstoredb/conformance/conformance.js';
import { CHECKPOINT_MODES } from '../support/eventstoredb/subscription.js';

const wanted = process.env['CONFORMANCE_EVENTSTORE_CHECKPOINTS'];
const checkpoints = CHECKPOINT_MODES.find((mode) => mode === wanted) ?? CHECKPOINT_MODES[0];

describeWhen(
  'CONFORMANCE_EVENTSTORE_URL',
  `a real EventStoreDB, checkpoints ${checkpoints}`,
  (url) => {
    conformance(() => url, checkpoints);
  },
);
