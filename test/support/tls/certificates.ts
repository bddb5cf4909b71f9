import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { it } from '@jest/globals';

/** Why certificates cannot be made here; null when they can. */
const noCertificates: string | null =
  spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0
    ? null
    : 'openssl is not on the path';

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
  /** A server's for 127.0.0.1, signed by itself, with its key. */
  readonly selfSignedFile: string;
  readonly selfSignedKeyFile: string;
  /**
   * A server's for 127.0.0.1, signed by the same authority, that ran out yesterday; with its key.
   */
  readonly expiredFile: string;
  readonly expiredKeyFile: string;
}

/** Makes an authority and a server's certificate that it signed, good for two days. */
export function makeCertificates(directory: string): Certificates {
  const file = (name: string) => join(directory, name);
  const [caFile, caKeyFile, otherCaFile] = [file('ca.pem'), file('ca.key'), file('other-ca.pem')];
  const [certFile, keyFile] = [file('server.pem'), file('server.key')];
  const [strangerFile, strangerKeyFile] = [file('stranger.pem'), file('stranger.key')];
  authority('Footnote test authority', caFile, caKeyFile);
  authority('Another test authority', otherCaFile, file('other-ca.key'));
  const signed = [
    '-CA',
    caFile,
    '-CAkey',
    caKeyFile,
    '-addext',
    'basicConstraints=critical,CA:FALSE',
  ];
  certificate('Footnote test server', certFile, keyFile, [
    ...signed,
    ...['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'],
  ]);
  certificate('Another test server', strangerFile, strangerKeyFile, [
    ...signed,
    ...['-addext', 'subjectAltName=DNS:elsewhere.example'],
  ]);
  const [selfSignedFile, selfSignedKeyFile] = [file('self-signed.pem'), file('self-signed.key')];
  certificate('Self-made test server', selfSignedFile, selfSignedKeyFile, [
    ...['-addext', 'basicConstraints=critical,CA:FALSE', '-addext', 'subjectAltName=IP:127.0.0.1'],
  ]);
  const [expiredFile, expiredKeyFile] = [file('expired.pem'), file('expired.key')];
  expired('Forgotten test server', {
    certFile: expiredFile,
    keyFile: expiredKeyFile,
    caFile,
    caKeyFile,
  });
  return {
    caFile,
    certFile,
    keyFile,
    strangerFile,
    strangerKeyFile,
    otherCaFile,
    selfSignedFile,
    selfSignedKeyFile,
    expiredFile,
    expiredKeyFile,
  };
}

/** `openssl req` makes none that has run out; signing a request may. */
function expired(
  name: string,
  files: Readonly<Record<'certFile' | 'keyFile' | 'caFile' | 'caKeyFile', string>>,
): void {
  const { certFile, keyFile, caFile, caKeyFile } = files;
  const request = `${certFile}.csr`;
  openssl(
    ...['req', '-new', ...NEW_KEY, '-keyout', keyFile, '-out', request, '-subj', `/CN=${name}`],
    ...['-addext', 'subjectAltName=IP:127.0.0.1'],
  );
  openssl(
    ...['x509', '-req', '-in', request, '-CA', caFile, '-CAkey', caKeyFile, '-CAcreateserial'],
    ...['-copy_extensions', 'copy', '-days', '-1', '-out', certFile],
  );
}

function authority(name: string, certFile: string, keyFile: string): void {
  certificate(name, certFile, keyFile, ['-addext', 'keyUsage=critical,keyCertSign,cRLSign']);
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];

function certificate(
  name: string,
  certFile: string,
  keyFile: string,
  words: readonly string[],
): void {
  openssl(
    ...[
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      keyFile,
      '-out',
      certFile,
      '-days',
      '2',
      '-subj',
      `/CN=${name}`,
    ],
    ...words,
  );
}

function openssl(...words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 20_000 });
}
