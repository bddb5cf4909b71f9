import { isPlaceholderPassword, isPlaceholderToken, isPlaceholderValue } from './placeholders.js';
import { characterClasses, looksRandom } from './randomness.js';
import type { SecretSpan } from './secret-rule.js';

/** Names of secrets, in the spellings of all cases. */
const NAME =
  /[Kk]ey|KEY|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Pp]assw|PASSW|[Pp]wd|PWD|[Cc]redential|CREDENTIAL|[Bb]earer/g;

/** Text after `secret` in the names of AWS, and the form of the key. */
const AWS_NAME = /^_?access_?key/i;
const AWS_SECRET = /^[A-Za-z0-9/+]{40}$/;

/** Paths of files and of fields, and text between the quotes of two literals. */
const NO_PASSWORD = /^(?:[./~)\]},;]|[\w$*]+\.[\w$*]+\.[\w$*.]+$)/;

/** Words that make a key one that grants access. */
const KEY_OF =
  /(?:api|app|access|auth|private|encrypt(?:ion)?|signing|master|account|service|client|consumer|deploy|storage|subscription|license|admin|secret|shared|hmac|webhook|session|cookie)[_\-. ]?$/i;

/**
 * Text after the name: its rest, an assignment and a value. Groups: the text before the value, the
 * quote, the quoted value, the bare one.
 */
const ASSIGNED =
  /((?:[A-Za-z0-9_.-]{0,30}["'`]?\]?[^\S\n]{0,8}(?:[!?]?:[^\S\n]{0,2}[A-Za-z]{2,12}[^\S\n]{0,2}=(?![=>])|=>|:=|={1,3}|:|,|>|\(|["']?[^\S\n]{1,4}value[^\S\n]?=|(?=[^\S\n]))\s{0,8})(?:Bearer |bearer )?)(?:[bru@$]?(["'`])([^"'`\s\\]{8,256})\2|(?=([A-Za-z0-9_+/=.~-]{16,256}))\4(?![A-Za-z0-9_+/=.~([{-]))/y;

/** In a file of settings, each value under such a name is a secret, whatever its form. */
const SETTING =
  /^([^\S\n]{0,20}(?:export )?[A-Za-z0-9_.-]{0,60}?(?:KEY|SECRET|TOKEN|PASS|PWD|CREDENTIAL|AUTH(?!OR)|DSN|SALT)[A-Za-z0-9_.-]{0,60}[^\S\n]{0,4}=[^\S\n]{0,4}["']?)([^\s"'#]{3,4000})/gim;

/**
 * Finds generated values that are assigned to a name that states their use, and quoted passwords
 * that mix enough characters.
 */
export function namedValues(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  NAME.lastIndex = 0;
  for (let name = NAME.exec(text); name; name = NAME.exec(text)) {
    const word = name[0].toLowerCase();
    if (word === 'key' && !KEY_OF.test(text.slice(Math.max(0, name.index - 14), name.index)))
      continue;
    ASSIGNED.lastIndex = NAME.lastIndex;
    const found = ASSIGNED.exec(text);
    if (!found) continue;
    const [all, lead = '', , quoted, bare] = found;
    // A bare word after a name in a list or a call is another name.
    if (bare !== undefined && /[,(]\s*$/.test(lead)) continue;
    const value = quoted ?? bare ?? '';
    const start = NAME.lastIndex + all.length - value.length - (quoted === undefined ? 0 : 1);
    const isAws = word === 'secret' && AWS_NAME.test(lead) && AWS_SECRET.test(value);
    const kind =
      isAws && !isPlaceholderToken(value)
        ? 'aws_secret_key'
        : kindOf(word, value, quoted !== undefined);
    if (kind === undefined) continue;
    spans.push({ kind, start, end: start + value.length });
    NAME.lastIndex = start + value.length;
  }
  return spans;
}

function kindOf(word: string, value: string, isQuoted: boolean): string | undefined {
  if (word === 'passw' || word === 'pwd') {
    const mixed =
      isQuoted && value.length <= 64 && !NO_PASSWORD.test(value) && characterClasses(value) >= 3;
    return (mixed || looksRandom(value)) && !isPlaceholderPassword(value) ? 'password' : undefined;
  }
  if (!looksRandom(value) || isPlaceholderValue(value)) return undefined;
  return word === 'key' ? 'api_key' : word === 'token' || word === 'bearer' ? 'token' : 'secret';
}

/** Finds the values in a file of settings, such as `.env`, whose names mark them as secret. */
export function secretSettings(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  for (const { index, 1: lead = '', 2: value = '' } of text.matchAll(SETTING)) {
    const start = index + lead.length;
    if (!/^\$[{(A-Za-z]/.test(value))
      spans.push({ kind: 'setting', start, end: start + value.length });
  }
  return spans;
}
