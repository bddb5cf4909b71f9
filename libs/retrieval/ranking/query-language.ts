/** Languages by a script that no other of them uses. Japanese comes before Chinese. */
const SCRIPTS: readonly (readonly [language: string, letter: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  ['zh', /\p{Script=Han}/u],
  ['ko', /\p{Script=Hangul}/u],
  ['uk', /[іїєґ]/iu],
  ['ru', /\p{Script=Cyrillic}/u],
  ['fa', /[پچژگ]/u],
  ['ar', /\p{Script=Arabic}/u],
  ['he', /\p{Script=Hebrew}/u],
  ['el', /\p{Script=Greek}/u],
  ['th', /\p{Script=Thai}/u],
  ['hi', /\p{Script=Devanagari}/u],
  ['bn', /\p{Script=Bengali}/u],
  ['vi', /[ăđơư]/iu],
];

/** Function words of languages in Latin script; words of code and of English are not among them. */
const FUNCTION_WORDS: readonly (readonly [language: string, words: ReadonlySet<string>])[] = [
  ['de', words('der das und wie ist nicht ein eine einen wird werden mit für wo kann ich')],
  ['fr', words('le les des une est et comment pour dans avec où quand je il elle pas sont')],
  ['es', words('el los las una es cómo como para con dónde donde cuando qué puedo se del y')],
  ['pt', words('os uma é como para com onde quando não posso são você e um do da no na')],
  ['it', words('il gli una è come per con dove quando posso sono della non che nel')],
  ['pl', words('jak jest się nie gdzie czy można dla oraz przez kiedy')],
  ['tr', words('nasıl nerede ve bir için ile ne mi neden')],
  ['nl', words('het een hoe wordt waar wanneer niet voor van zijn ik kan')],
];
const LEAST_FUNCTION_WORDS = 2;

/**
 * Returns the likeliest language of a query, as a code of two letters: by its script, then by at
 * least two function words. English is the default.
 */
export function queryLanguage(text: string): string {
  const byScript = SCRIPTS.find(([, letter]) => letter.test(text));
  if (byScript) return byScript[0];
  const said = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  let language = 'en';
  let most = LEAST_FUNCTION_WORDS - 1;
  for (const [code, known] of FUNCTION_WORDS) {
    const count = said.filter((word) => known.has(word)).length;
    if (count > most) [language, most] = [code, count];
  }
  return language;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
