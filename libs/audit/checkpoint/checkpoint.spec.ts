import { describe, expect, it } from '@jest/globals';

import { leafHash } from '../tree/hashing.js';
import {
  addSignatures,
  checkpointText,
  parseCheckpoint,
  signCheckpoint,
  verifyCheckpoint,
} from './checkpoint.js';
import { formatVerifierKey, noteKey, noteSigner, parseVerifierKey } from './note-key.js';
import {
  cosignText,
  formatNote,
  MAX_NOTE_BYTES,
  parseNote,
  type SignedNote,
  signText,
  verifyNote,
} from './signed-note.js';

/** The example of C2SP `signed-note`. */
const EXAMPLE = {
  key: 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k',
  note: `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`,
};

/** The example of Go's package `golang.org/x/mod/sumdb/note`, with its private key. */
const GO = {
  seed: 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz',
  key: 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
  note: `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`,
};

/** The example of C2SP `tlog-cosignature`. */
const COSIGNED = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==
`;

const origin = 'footnote.example/log-1/tenant-a';
const signer = noteSigner(origin, 'ed25519', Buffer.alloc(32, 1));
const next = noteSigner(origin, 'ed25519', Buffer.alloc(32, 2));
const witness = noteSigner('witness.example/w1', 'cosignature', Buffer.alloc(32, 3));
const head = { origin, size: 7, root: leafHash('x') };

const parsed = (text: string): SignedNote => {
  const note = parseNote(text);
  if (!note) throw new Error('no note');
  return note;
};
const keyOf = (text: string) => {
  const key = parseVerifierKey(text);
  if (!key) throw new Error('no key');
  return key;
};

describe('signed notes', () => {
  it.each([
    ['C2SP', EXAMPLE],
    ['Go', GO],
  ])('verify the example of %s', (_, { key, note }) => {
    expect(formatVerifierKey(keyOf(key))).toBe(key);
    expect(verifyNote(parsed(note), [keyOf(key)])).toMatchObject([{ timestamp: null }]);
    expect(formatNote(parsed(note))).toBe(note);
    const altered = note.replace('message', 'massage').replace('answer', 'cause');
    expect(verifyNote(parsed(altered), [keyOf(key)])).toBeNull();
  });

  it('sign the example of Go to the byte', () => {
    const seed = Buffer.from(GO.seed, 'base64').subarray(1);
    const author = noteSigner('PeterNeumann', 'ed25519', seed);
    const { text } = parsed(GO.note);
    expect(formatVerifierKey(author.key)).toBe(GO.key);
    expect(formatNote({ text, signatures: [signText(text, author)] })).toBe(GO.note);
  });

  it('ignore unknown keys, and reject a wrong signature of a known one', () => {
    const text = 'text\n';
    const [mine, other] = [signText(text, signer), signText(text, next)];
    const forged = { ...mine, bytes: other.bytes };
    expect(verifyNote({ text, signatures: [other, mine] }, [signer.key])).toHaveLength(1);
    expect(verifyNote({ text, signatures: [other, mine] }, [signer.key, next.key])).toHaveLength(2);
    expect(verifyNote({ text, signatures: [other] }, [signer.key])).toBeNull();
    expect(verifyNote({ text, signatures: [forged, other] }, [signer.key, next.key])).toBeNull();
    const short = { ...mine, bytes: mine.bytes.subarray(1) };
    expect(verifyNote({ text, signatures: [short] }, [signer.key])).toBeNull();
  });

  it.each([
    ['no signature', 'text\n'],
    ['no blank line', 'text\n— a AAAAAAA=\n'],
    ['no last line feed', GO.note.slice(0, -1)],
    ['a control character', `a\u0007b\n\n${GO.note.split('\n\n')[1]}`],
    ['a lone surrogate', GO.note.replace('think', '\ud800')],
    ['another dash', GO.note.replace('—', '-')],
    ['a name with a plus', GO.note.replace('PeterNeumann', 'Peter+Neumann')],
    ['loose base64', GO.note.replace('=\n', '\n')],
    ['a line after the signatures', `${GO.note}more\n`],
    ['too many signatures', `a\n\n${'— a AAAAAAA=\n'.repeat(65)}`],
    ['too many bytes', `${'a'.repeat(MAX_NOTE_BYTES)}\n\n— a AAAAAAA=\n`],
  ])('are not read with %s', (_, text) => {
    expect(parseNote(text)).toBeNull();
  });

  it('reject names, seeds and keys that they cannot hold', () => {
    expect(() => noteKey('two words', 'ed25519', Buffer.alloc(32))).toThrow(RangeError);
    expect(() => noteKey('a', 'ed25519', Buffer.alloc(31))).toThrow(RangeError);
    expect(() => noteSigner('a', 'ed25519', Buffer.alloc(33))).toThrow(RangeError);
    for (const text of ['', 'a', 'a+b', `${GO.key}x`, GO.key.replace('c74f', 'c74e')])
      expect(parseVerifierKey(text)).toBeNull();
    expect(() => formatNote({ text: 'no line feed', signatures: [] })).toThrow(RangeError);
  });
});

describe('signed checkpoints', () => {
  it('are read back as they were signed', () => {
    const note = signCheckpoint(head, [signer]);
    expect(parseCheckpoint(note)).toMatchObject(head);
    expect(verifyCheckpoint(note, [signer.key])).toMatchObject(head);
    expect(verifyCheckpoint(note, [signer.key], origin)).toMatchObject(head);
  });

  it('are verified by one of several keys, as after a rotation', () => {
    const note = signCheckpoint(head, [signer, next]);
    for (const keys of [[signer.key], [next.key], [next.key, signer.key]])
      expect(verifyCheckpoint(note, keys)).toMatchObject(head);
  });

  it('are rejected of another origin, of unknown keys, altered, or by a witness alone', () => {
    const note = signCheckpoint(head, [signer]);
    expect(verifyCheckpoint(note, [signer.key], `${origin}b`)).toBeNull();
    expect(verifyCheckpoint(note, [next.key])).toBeNull();
    expect(verifyCheckpoint(note, [])).toBeNull();
    expect(verifyCheckpoint(note.replace('\n7\n', '\n8\n'), [signer.key])).toBeNull();
    const text = checkpointText(head);
    const cosigned = formatNote({ text, signatures: [cosignText(text, witness, 5)] });
    expect(verifyCheckpoint(cosigned, [witness.key])).toBeNull();
    const foreign = noteSigner('other.example', 'ed25519', Buffer.alloc(32, 4));
    expect(verifyCheckpoint(signCheckpoint(head, [foreign]), [foreign.key])).toBeNull();
  });

  it('carry cosignatures of witnesses, with their times', () => {
    const first = parseCheckpoint(signCheckpoint(head, [signer]));
    if (!first) throw new Error('no checkpoint');
    const seconds = 1_679_315_147;
    const note = addSignatures(first, [cosignText(first.note.text, witness, seconds)]);
    const { signatures = [] } = verifyCheckpoint(note, [signer.key, witness.key]) ?? {};
    expect(signatures.map(({ key, timestamp }) => [key.name, timestamp])).toEqual([
      [origin, null],
      ['witness.example/w1', seconds],
    ]);
    const [mine, cosignature] = parseNote(note)?.signatures ?? [];
    if (!mine || !cosignature) throw new Error('no signatures');
    const later = Buffer.from(cosignature.bytes);
    later.writeUInt8(1, 7);
    const altered = { ...cosignature, bytes: later };
    const text = first.note.text;
    expect(verifyNote({ text, signatures: [mine, altered] }, [witness.key])).toBeNull();
  });

  it('are read as the example of C2SP writes them', () => {
    expect(parseCheckpoint(COSIGNED)).toMatchObject({
      origin: 'example.com/behind-the-sofa',
      size: 20_852_163,
      note: {
        signatures: [{ id: '033de0ae' }, { name: 'witness.example.com/w1', id: '8d66cf3f' }],
      },
    });
  });

  const [text = '', signature = ''] = signCheckpoint(head, [signer]).split('\n\n');
  it.each([
    ['a size with a zero before', text.replace('\n7\n', '\n07\n')],
    ['a negative size', text.replace('\n7\n', '\n-7\n')],
    ['a size that is no safe integer', text.replace('\n7\n', '\n9007199254740992\n')],
    ['a short root', text.slice(0, -4)],
    ['no root', `${origin}\n7`],
    ['an empty origin', text.replace(origin, '')],
    ['an empty line', text.replace('\n7\n', '\n\n7\n')],
    ['an empty extension', `${text}\n\nmore`],
  ])('are not read with %s', (_, other) => {
    expect(parseCheckpoint(`${other}\n\n${signature}`)).toBeNull();
  });

  it('may have extension lines, and are not written with a wrong head', () => {
    expect(parseCheckpoint(`${text}\nmore\n\n${signature}`)).toMatchObject(head);
    expect(() => checkpointText({ ...head, size: -1 })).toThrow(RangeError);
    expect(() => checkpointText({ ...head, origin: 'two\nlines' })).toThrow(RangeError);
    expect(() => checkpointText({ ...head, root: Buffer.alloc(31) })).toThrow(RangeError);
  });
});
