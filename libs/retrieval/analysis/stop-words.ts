/** Left out of queries only, unless nothing would remain. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'the a an of to in for is are and or with that this it be as by on from if not when return returns ' +
    'how what where which who why do does did can i ' +
    'its their them these those into onto via than then there while has have had was were been being ' +
    'will would should could may might must about but both also so such only between using used'
  ).split(' '),
);
