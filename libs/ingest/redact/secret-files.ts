/** Files of settings with their secrets; samples are excluded. */
const SETTINGS = /^(?:\.env(?:\..*)?|\.envrc|.*\.env)$/i;
const SAMPLE = /[._-](?:example|sample|template|tmpl|dist|defaults?|schema)(?:\.env)?$/i;

/** Private keys, key stores and files in which tools store passwords. */
const KEYS =
  /\.(?:pem|key|ppk|p8|pk8|pkcs8|kdbx|keytab)$|^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|[._]netrc|\.pgpass|\.my\.cnf|\.htpasswd|\.git-credentials|\.vault-token|secring\.gpg|\.dockercfg)$/i;

/** Returns the part of a name that shows that the file contains secrets and little else. */
export function secretMark(name: string): string | undefined {
  return isSettingsFile(name) ? '.env' : KEYS.exec(name)?.[0];
}

/** Returns whether a path is `.env`, `.env.production` or `prod.env`, at any depth. */
export function isSettingsFile(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return SETTINGS.test(name) && !SAMPLE.test(name);
}
