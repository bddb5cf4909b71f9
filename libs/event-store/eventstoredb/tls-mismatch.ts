import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { hostsOf, turnsTlsOff } from './connection-string.js';

const PROBE_MS = 2_000;

/**
 * The preface of HTTP/2 and an empty frame of settings, which a server of gRPC answers by its own.
 */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from('000000040000000000', 'hex'),
]);
const SETTINGS_FRAME = 4;

/**
 * Whether the servers of this address speak TLS where the address turns it off, or do not where it
 * wants it: an error that says which, null otherwise. Told by what a server answers to the other
 * manner of speaking, so that one which is away, is starting or ends each connection is never taken
 * for one that was set up wrongly. A server that answers as the address wants it outweighs the
 * others.
 */
export async function tlsMismatch(url: string): Promise<Error | null> {
  const unwanted = turnsTlsOff(url) ? speaksTls : speaksPlain;
  const wanted = turnsTlsOff(url) ? speaksPlain : speaksTls;
  const hosts = hostsOf(url);
  const [misfits, fits] = await Promise.all([anyOf(hosts, unwanted), anyOf(hosts, wanted)]);
  if (!misfits || fits) return null;
  return new Error(
    turnsTlsOff(url)
      ? 'EventStoreDB speaks TLS at this address, which has tls=false'
      : 'EventStoreDB does not speak TLS at this address',
  );
}

type Address = ReturnType<typeof hostsOf>[number];

async function anyOf(
  hosts: readonly Address[],
  speaks: (address: Address) => Promise<boolean>,
): Promise<boolean> {
  return (await Promise.all(hosts.map(speaks))).includes(true);
}

/**
 * Whether a handshake is made, with whatever certificate, or refused in the words of TLS. Nothing
 * is sent afterwards.
 */
function speaksTls({ host, port }: Address): Promise<boolean> {
  const name = isIP(host) ? {} : { servername: host };
  const socket = connectTls({
    host,
    port,
    ...name,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  return answered(socket, (settle) => {
    socket.once('secureConnect', () => settle(true));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code?.includes('_ALERT_') ?? false),
    );
  });
}

/** Whether HTTP is answered without TLS. */
function speaksPlain({ host, port }: Address): Promise<boolean> {
  const socket = connectPlain({ host, port });
  socket.once('connect', () => socket.write(PREFACE));
  return answered(socket, (settle) => {
    let said = Buffer.alloc(0);
    socket.on('data', (part: Buffer) => {
      said = Buffer.concat([said, part]);
      // A frame's type stands behind its length, of three bytes.
      if (said.length >= 5)
        settle(said[3] === SETTINGS_FRAME || said.toString('latin1').startsWith('HTTP/'));
    });
  });
}

/**
 * What `listen` settles with; false when the connection ends or fails before, or the time is up.
 */
function answered(
  socket: Socket,
  listen: (settle: (answer: boolean) => void) => void,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (answer: boolean): void => {
      clearTimeout(timer);
      resolve(answer);
      socket.destroy();
    };
    const timer = setTimeout(() => settle(false), PROBE_MS);
    listen(settle);
    socket.on('error', () => settle(false));
    socket.on('close', () => settle(false));
  });
}
