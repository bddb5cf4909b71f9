import { analyze } from '#retrieval';

/** Terms of words that every sentence has. */
export const STOP_TERMS: ReadonlySet<string> = new Set(
  analyze(
    'the a an of to in for is are and or with that this it its be as by on from if not when then ' +
      'so which what where how who they them their has have had was were will can may must also ' +
      'into than',
  ),
);
