/** Words that describe a format and not a secret. */
const SAID =
  /example|placeholder|your[-_a-z]|change[-_]?(?:me|it)|dummy|x{4}|\*{3}|\.{3}|[<>{}]|\bredacted\b|replace[-_]?(?:me|with)|goes[-_]?here/i;

/** Names of values in samples and tests, in addition to those of tokens of a known format. */
const SAID_OF_VALUES =
  /test|sample|fake|mock|passw|p@ss|secret|token|insert|process\.env|undefined|letmein|qwerty|123456|abcdef|foobar|\$[({A-Za-z_]|%[sd(]/i;

/** Default passwords of documentation and images: they reveal nothing. */
const DEFAULT_PASSWORDS: ReadonlySet<string> = new Set(
  `pass passwd password pwd pw secret token test admin root guest user username postgres mysql mongo mongodb redis rabbitmq minio minioadmin elastic
   x-oauth-basic oauth2 login bar baz qux none null string value`.split(/\s+/),
);

/**
 * Returns whether a token of a known format is a placeholder: a word shows it, or hardly a
 * character differs from the others.
 */
export function isPlaceholderToken(token: string): boolean {
  return SAID.test(token) || new Set(token.slice(-16)).size < 5;
}

/** Returns the same for a value of no known format. */
export function isPlaceholderValue(value: string): boolean {
  return isPlaceholderToken(value) || SAID_OF_VALUES.test(value);
}

/** Variables of shells, templates and format strings. */
const VARIABLE = /\$[({A-Za-z_]|%[sd(]|process\.env/;

/** Returns whether the password of an address is one of these or a variable. */
export function isDefaultPassword(password: string): boolean {
  return (
    DEFAULT_PASSWORDS.has(password.toLowerCase()) || SAID.test(password) || VARIABLE.test(password)
  );
}

/**
 * Returns the same for a value that is assigned to a password, as tests and samples do most often.
 */
export function isPlaceholderPassword(password: string): boolean {
  return isDefaultPassword(password) || SAID_OF_VALUES.test(password);
}
