import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

import { hostsOf, turnsTlsOff } from './connection-string.js';

const PROBE_MS = 2_000;

/** The preface of HTTP/2 and an empty settings frame; a gRPC server answers with its own. */
const PREFACE = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from('000000040000000000', 'hex'),
]);
const SETTINGS_FRAME = 4;

/**
 * Reports whether the servers of this address speak TLS although the address turns it off, or the
 * reverse. Returns an error that says which, null otherwise. It tries the other protocol and uses
 * the server's answer. So a server that is away, starting or ending each connection is never
 * reported as misconfigured. A server that answers as the address expects outweighs the others.
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
 * Reports whether a handshake succeeds, with any certificate, or is rejected by TLS. Nothing is
 * sent afterwards.
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

/** Reports whether the server answers HTTP without TLS. */
function speaksPlain({ host, port }: Address): Promise<boolean> {
  const socket = connectPlain({ host, port });
  socket.once('connect', () => socket.write(PREFACE));
  return answered(socket, (settle) => {
    let received = Buffer.alloc(0);
    socket.on('data', (part: Buffer) => {
      received = Buffer.concat([received, part]);
      // The type of a frame follows its length, of three bytes.
      if (received.length >= 5)
        settle(received[3] === SETTINGS_FRAME || received.toString('latin1').startsWith('HTTP/'));
    });
  });
}

/**
 * Returns the result of `listen`; false if the connection ends or fails first, or the time is up.
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
