import { setInterval } from 'node:timers';

import { byBaselineCompiler } from '#platform/process/baseline-compiler';

setInterval(() => byBaselineCompiler(() => undefined), 1);
