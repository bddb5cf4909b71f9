import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { it } from '@jest/globals';

/** Why certificates cannot be made here; null when they can. */
const noCertificates: string | null =
  spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0 ? null : 'openssl is not on the path';

/** Runs `body` where certificates can be made; elsewhere a todo of the group says why not. */
export function withCertificates(body: () => void): void {
  if (noCertificates === null) body();
  else it.todo(`cannot run here: ${noCertificates}`);
}

/** Files in PEM form. */
export interface Certificates {
  /** The authority that signed the server's certificate. */
  readonly caFile: string;
  /** The server's, for 127.0.0.1 and localhost. */
  readonly certFile: string;
  readonly keyFile: string;
  /** A server's, signed by the same authority for another host, with its key. */
  readonly strangerFile: string;
  readonly strangerKeyFile: string;
  /** An authority that signed nothing. */
  readonly otherCaFile: string;
}

/** Makes an authority and a server's certificate that it signed, good for two days. */
export function makeCertificates(directory: string): Certificates {
  const file = (name: string) => join(directory, name);
  const [caFile, caKeyFile, otherCaFile] = [file('ca.pem'), file('ca.key'), file('other-ca.pem')];
  const [certFile, keyFile] = [file('server.pem'), file('server.key')];
  const [strangerFile, strangerKeyFile] = [file('stranger.pem'), file('stranger.key')];
  authority('Footnote test authority', caFile, caKeyFile);
  authority('Another test authority', otherCaFile, file('other-ca.key'));
  const signed = ['-CA', caFile, '-CAkey', caKeyFile, '-addext', 'basicConstraints=critical,CA:FALSE'];
  certificate('Footnote test server', certFile, keyFile, [
    ...signed,
    ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
  ]);
  certificate('Another test server', strangerFile, strangerKeyFile, [
    ...signed,
    ...['-addext', 'subjectAltName=DNS:elsewhere.example'],
  ]);
  return { caFile, certFile, keyFile, strangerFile, strangerKeyFile, otherCaFile };
}

function authority(name: string, certFile: string, keyFile: string): void {
  certificate(name, certFile, keyFile, ['-addext', 'keyUsage=critical,keyCertSign,cRLSign']);
}

function certificate(name: string, certFile: string, keyFile: string, words: readonly string[]): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', keyFile];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certFile, '-days', '2', '-subj', `/CN=${name}`, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 20_000,
  });
}
