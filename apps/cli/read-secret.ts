import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** Largest input that is read for a secret. */
const MOST_CHARACTERS = 4_096;

/** Returns a line of standard input; a terminal shows the prompt and not the input. */
export async function readSecret(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) return (await firstLine()).trim();
  process.stderr.write(prompt);
  const silent = new Writable({ write: (_part, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return (await lines.question('')).trim();
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

async function firstLine(): Promise<string> {
  let text = '';
  for await (const part of process.stdin) {
    text += String(part);
    if (text.includes('\n') || text.length > MOST_CHARACTERS) break;
  }
  return text.split('\n')[0] ?? '';
}
