/**
 * Parts of the most common passwords, as lists of leaks show. Digits and punctuation around them,
 * or a repetition, make them no better.
 */
const WORDS: ReadonlySet<string> = new Set(
  (
    'abc abcd abcdef abcdefgh abcdefghijkl admin administrator asdf asdfgh asdfghjkl azerty baseball basketball batman ' +
    'changeme charlie computer default dragon football footnote freedom google guest hello hockey hunter iloveyou ' +
    'internet jennifer jessica jordan killer letmein letmeinnow liverpool login lovely loveme master michael michelle ' +
    'monkey mustang mypassword ninja opensesame pass passw passwd passphrase password passwort princess pussy qazwsx ' +
    'qazwsxedc qwer qwert qwerty qwertyuiop qwertz root samsung secret shadow soccer starwars sunshine superman ' +
    'supersecret test tester testing trustno trustnoone trustnobody user welcome whatever zaqxsw zxcvbn zxcvbnm'
  ).split(' '),
);
const RUNS = [
  '0123456789012345678901234567890',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
];
const LOOKALIKES: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
/**
 * A run or a repeated piece has to be this much of a password for it to be nothing else,
 * characters.
 */
const MIN_RUN = 8;
const MAX_PIECE = 6;

let mostUsed: Promise<ReadonlySet<string>> | undefined;

/**
 * Returns whether a password is among the first guesses. It may be one of the most used, a common
 * word with digits around it, or a run of the keyboard or of digits. It may also be one repeated
 * piece, or a known fact about its owner. Upper and lower case make no difference.
 *
 * @param known such as the address
 */
export async function isCommonPassword(
  password: string,
  known: readonly string[],
): Promise<boolean> {
  const text = password.toLowerCase();
  const words = [coreOf(text), coreOf(unmasked(text)), unmasked(coreOf(text))];
  if (words.some((word) => WORDS.has(word) || WORDS.has(halfOf(word)))) return true;
  if (isRepetition(text) || isRun(text)) return true;
  mostUsed ??= loadMostUsed();
  const used = await mostUsed;
  if ([text, ...words].some((word) => used.has(word))) return true;
  const core = coreOf(text);
  return known.some((each) => coreOf(each.toLowerCase()) === core && core !== '');
}

/** A process in which nobody chooses a password does without. */
async function loadMostUsed(): Promise<ReadonlySet<string>> {
  const { mostUsedPasswords } = await import('./most-used-passwords.js');
  return new Set(mostUsedPasswords());
}

function unmasked(text: string): string {
  return Array.from(text, (character) => LOOKALIKES[character] ?? character).join('');
}

/** Returns the text without digits, blanks and punctuation around words. */
function coreOf(text: string): string {
  return text.replace(/^[^\p{L}]+|(?<=\p{L})[^\p{L}]+$/gu, '').replace(/[\s_.-]+/g, '');
}

function halfOf(word: string): string {
  const half = word.slice(0, word.length / 2);
  return half + half === word ? half : word;
}

function isRepetition(text: string): boolean {
  for (let size = 1; size <= MAX_PIECE; size += 1) {
    if (
      text ===
      text
        .slice(0, size)
        .repeat(Math.ceil(text.length / size))
        .slice(0, text.length)
    )
      return true;
  }
  return false;
}

function isRun(text: string): boolean {
  const backwards = [...text].reverse().join('');
  return RUNS.some((run) =>
    [text, backwards].some((each) => each.length >= MIN_RUN && run.includes(each)),
  );
}
