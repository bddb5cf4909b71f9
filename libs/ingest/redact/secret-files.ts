/** Files that hold settings with their secrets; samples of them are none. */
const SETTINGS = /^(?:\.env(?:\..*)?|\.envrc|.*\.env)$/i;
const SAMPLE = /[._-](?:example|sample|template|tmpl|dist|defaults?|schema)(?:\.env)?$/i;

/** Private keys, key stores and files in which tools keep passwords. */
const KEYS =
  /\.(?:pem|key|ppk|p8|pk8|pkcs8|kdbx|keytab)$|^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[._]netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.vault-token|secring\.gpg|\.dockercfg)$/i;

/** The part of a name by which the file is known to hold secrets and little else. */
export function secretMark(name: string): string | undefined {
  return isSettingsFile(name) ? '.env' : KEYS.exec(name)?.[0];
}

/** `.env`, `.env.production`, `prod.env`, at any depth. */
export function isSettingsFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return SETTINGS.test(name) && !SAMPLE.test(name);
}
