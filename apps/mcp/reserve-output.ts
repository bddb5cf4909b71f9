import { Writable } from 'node:stream';

/**
 * Returns the way of protocol messages to standard output. Everything else that this process writes
 * there goes to standard error from now on: a line of a library would break the client.
 */
export function reserveOutput(): Writable {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  // Without a listener, a pipe that the client closed would end the process with a stack.
  stdout.on('error', () => undefined);
  stdout.write = stderr.write.bind(stderr);
  return new Writable({
    decodeStrings: false,
    write: (text: string, encoding, done) => void write(text, encoding, done),
  });
}
