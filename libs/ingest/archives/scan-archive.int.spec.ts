import { readdirSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { digest, paxName, tar, tarGz, tarHeader, zip } from '#test/support/packages/archives';
import { memoryKiB } from '#test/support/process-memory';
import { tempDir } from '#test/support/temp-dir';

import { ArchiveRefusedError } from './archive-refused.js';
import { scanArchive, type ScanOptions } from './scan-archive.js';

let folder: ReturnType<typeof tempDir>;
beforeEach(() => {
  folder = tempDir('footnote-archive-');
});
afterEach(() => folder.remove());

const LIMITS = { maxFiles: 1_000, maxUnpackedBytes: 10_000_000, maxFileBytes: 100_000 };

function scanned(bytes: Uint8Array, options: Partial<ScanOptions> = {}) {
  writeFileSync(`${folder.path}/archive`, bytes);
  return scanArchive(`${folder.path}/archive`, {
    format: 'tar.gz',
    limits: LIMITS,
    wants: () => true,
    spool: `${folder.path}/spool`,
    signal: new AbortController().signal,
    ...options,
  });
}

const scannedZip = (bytes: Uint8Array, options: Partial<ScanOptions> = {}) =>
  scanned(bytes, { ...options, format: 'zip' });

/** Returns the reason for the rejection, after which only the archive may be in the folder. */
async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('was read'),
    (thrown: unknown) => thrown as Error,
  );
  expect(readdirSync(folder.path)).toEqual(['archive']);
  if (!(error instanceof ArchiveRefusedError)) throw error;
  return `${error.reason}: ${error.message}`;
}

const FILES = { 'pkg/a.js': 'alpha', 'pkg/lib/é.js': 'beta 👋', 'pkg/b.js': '' };

describe.each([
  ['tar.gz', tarGz(FILES)],
  ['zip', zip(FILES)],
] as const)('an archive (%s)', (format, bytes) => {
  it('lists its files in path order and reads them in any', async () => {
    const archive = await scanned(bytes, { format, strip: true });
    expect(archive.files.map(({ path, size }) => [path, size])).toEqual([
      ['a.js', 5],
      ['b.js', 0],
      ['lib/é.js', 9],
    ]);
    const texts = [];
    for (const file of archive.files.toReversed())
      texts.push(Buffer.from(await archive.read(file)).toString());
    expect(texts).toEqual(['beta 👋', '', 'alpha']);
    expect(archive.files[0]?.content?.hash).toMatch(
      /^8ed3f6ad685b959ead7022518e1af76cd816f8e8ec7ccdda1ed4018e8f2223f8$/,
    );
    expect(archive.odd).toEqual({ link: 0, name: 0, duplicate: 0, outside: 0 });
    await archive.close();
    expect(readdirSync(folder.path)).toEqual(['archive']);
  });

  it('reads no file that nobody wants or that is too large, but lists it', async () => {
    const wants = (path: string) => !path.endsWith('b.js');
    const archive = await scanned(bytes, { format, wants, limits: { ...LIMITS, maxFileBytes: 5 } });
    expect(archive.files.map(({ path, content }) => [path, content !== null])).toEqual([
      ['pkg/a.js', true],
      ['pkg/b.js', false],
      ['pkg/lib/é.js', false],
    ]);
    await archive.close();
  });

  it('strips the very folder that it should have, and leaves out what lies elsewhere', async () => {
    const archive = await scanned(bytes, { format, strip: 'pkg/lib/' });
    expect([archive.files.map(({ path }) => path), archive.odd.outside]).toEqual([['é.js'], 2]);
    await archive.close();
  });

  it('is refused with more files than it may have', async () => {
    const limits = { ...LIMITS, maxFiles: 2, maxFilesName: 'MAX' };
    expect(await refusal(scanned(bytes, { format, limits }))).toBe(
      'too_large: has more files or folders than MAX (2) allows',
    );
  });

  it('is refused when it is cut off at any place', async () => {
    for (let length = 0; length < bytes.length - 1; length += 23) {
      expect(await refusal(scanned(bytes.subarray(0, length), { format }))).toMatch(/^broken: /);
    }
  });

  it('ends with the reason of the signal', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(scanned(bytes, { format, signal })).rejects.toBe(signal.reason);
  });
});

describe('a hostile tar file', () => {
  it.each([
    ['../../etc/passwd', 'hostile: holds the path "../../etc/passwd", which leads out of it'],
    ['pkg/../../x', 'hostile: holds the path "pkg/../../x", which leads out of it'],
    ['pkg\\..\\..\\x', 'hostile: holds the path "pkg\\\\..\\\\..\\\\x", which leads out of it'],
    ['/etc/passwd', 'hostile: holds the absolute path "/etc/passwd"'],
    ['C:\\x', 'hostile: holds the absolute path "C:\\\\x"'],
    [`${'d/'.repeat(45)}x`, null],
  ])('with the path %s is refused', async (name, expected) => {
    if (expected === null) await (await scanned(tarGz({ [name]: 'x' }))).close();
    else expect(await refusal(scanned(tarGz({ [name]: 'x' })))).toBe(expected);
  });

  it('with a path that nobody writes is refused', async () => {
    const named = (name: string) => scanned(tarGz([paxName(name), { name: 'x', content: 'x' }]));
    expect(await refusal(named(`a/${'x'.repeat(4_095)}`))).toBe(
      'hostile: holds a name of more than 4096 bytes',
    );
    expect(await refusal(named(`${'d/'.repeat(101)}x`))).toBe(
      'hostile: holds a path of more than 100 folders',
    );
    const archive = await named(`a/${'x'.repeat(2_000)}`);
    expect(archive.files[0]?.path).toHaveLength(2_002);
    await archive.close();
  });

  it.each([
    ['2', '/etc/passwd'],
    ['2', '../../x'],
    ['1', '../x'],
    ['1', '/etc/passwd'],
    ['2', ''],
  ])('with a link (%s) to %s is refused', async (type, target) => {
    const linked = scanned(tarGz([{ name: 'pkg/link', type, target }]));
    expect(await refusal(linked)).toBe('hostile: holds the link "pkg/link", which leads out of it');
  });

  it('with a link to a place of its own is read without the link', async () => {
    const archive = await scanned(
      tarGz([
        { name: 'pkg/a.js', content: 'x' },
        { name: 'pkg/lib/link.js', type: '2', target: '../a.js' },
        { name: 'pkg/hard.js', type: '1', target: 'pkg/a.js' },
      ]),
    );
    expect([archive.files.map(({ path }) => path), archive.odd.link]).toEqual([['pkg/a.js'], 2]);
    await archive.close();
  });

  it.each(['3', '4', '6'])('with a device (%s) is refused', async (type) => {
    const expected = 'hostile: holds "pkg/dev", which is neither a file, a folder nor a link';
    expect(await refusal(scanned(tarGz([{ name: 'pkg/dev', type }])))).toBe(expected);
  });

  it('with names that are no UTF-8, or the same name twice, is read without them', async () => {
    const archive = await scanned(
      tarGz([
        { name: Buffer.from('pkg/caf\xe9.js', 'latin1'), content: 'x' },
        { name: 'pkg/\u0007.js', content: 'x' },
        { name: 'pkg/a.js', content: 'first' },
        { name: './pkg//a.js', content: 'second' },
      ]),
    );
    expect(archive.odd).toMatchObject({ name: 2, duplicate: 1 });
    expect(
      await Promise.all(
        archive.files.map(async (file) => Buffer.from(await archive.read(file)).toString()),
      ),
    ).toEqual(['second']);
    await archive.close();
  });

  it('is refused as a bomb: beyond the limit, or far beyond what was sent', async () => {
    const zeros = tarGz([{ name: 'pkg/a', content: Buffer.alloc(9_000_000) }]);
    expect(await refusal(scanned(zeros))).toBe(
      'too_large: unfolds to more than 100 times what was sent',
    );
    const limits = { ...LIMITS, maxUnpackedBytes: 1_000_000 };
    expect(await refusal(scanned(zeros, { limits }))).toBe(
      'too_large: unpacks to more than 1000000 bytes',
    );
  });

  it('is refused when it is damaged, no gzip file or no tar file', async () => {
    const good = tarGz(FILES);
    const bad = Buffer.from(good);
    bad.writeUInt32LE(0xdeadbeef, bad.length - 8);
    for (const bytes of [bad, Buffer.from('no gzip file'), gzipSync('no tar file'.repeat(100))]) {
      expect(await refusal(scanned(bytes))).toMatch(
        /^broken: is (?:not a gzip file|no tar file), or is damaged$/,
      );
    }
    const lying = gzipSync(Buffer.concat([tarHeader('pkg/a', 5_000), Buffer.from('short')]));
    expect(await refusal(scanned(lying))).toMatch(/^broken: /);
  });

  it('of a million entries is refused early, in little memory', async () => {
    const names = Array.from({ length: 10_000 }, (_, index) =>
      digest('sha256', Buffer.from(`${index}`)),
    );
    const part = gzipSync(Buffer.concat(names.map((name) => tarHeader(`pkg/${name}`, 0))));
    const million = Buffer.concat(Array<Buffer>(100).fill(part));
    const before = memoryKiB('VmRSS') ?? 0;
    const limits = { ...LIMITS, maxFiles: 50_000, maxUnpackedBytes: 1_000_000_000 };
    expect(await refusal(scanned(million, { limits }))).toBe(
      'too_large: has more files or folders than 50000',
    );
    expect((memoryKiB('VmRSS') ?? 0) - before).toBeLessThan(128 * 1024);
  });
});

describe('a hostile zip file', () => {
  it.each([
    ['../x', 'hostile: holds the path "../x", which leads out of it'],
    ['/x', 'hostile: holds the absolute path "/x"'],
  ])('with the path %s is refused', async (name, expected) => {
    expect(await refusal(scannedZip(zip({ [name]: 'x' })))).toBe(expected);
  });

  it('with a link out of itself is refused, with one inside read without it', async () => {
    const linked = (content: string) =>
      scannedZip(zip([{ name: 'pkg/link', content, mode: 0o120777 }]));
    expect(await refusal(linked('../../x'))).toBe(
      'hostile: holds the link "pkg/link", which leads out of it',
    );
    const archive = await linked('a.js');
    expect([archive.files, archive.odd.link]).toEqual([[], 1]);
    await archive.close();
  });

  it.each([
    ['more than there is', { size: 50 }, 'broken: lies about the size of "pkg/a.js"'],
    ['less than there is', { size: 1 }, 'broken: lies about the size of "pkg/a.js"'],
    ['another in each header', { localSize: 3 }, 'broken: has two different headers of "pkg/a.js"'],
  ])('that lies about a size (%s) is refused', async (_, lies, expected) => {
    expect(await refusal(scannedZip(zip([{ name: 'pkg/a.js', content: 'alpha', lies }])))).toBe(
      expected,
    );
  });

  it('with a wrong checksum, encrypted or packed in another way is refused', async () => {
    const lying = (lies: object) => scannedZip(zip([{ name: 'pkg/a.js', content: 'alpha', lies }]));
    expect(await refusal(lying({ crc: 1 }))).toBe(
      'broken: has another checksum than it says of "pkg/a.js"',
    );
    expect(await refusal(lying({ flags: 0x801 }))).toBe('broken: has "pkg/a.js" encrypted');
    expect(await refusal(lying({ method: 12 }))).toBe(
      'broken: has "pkg/a.js" packed in a way that is not read (12)',
    );
  });

  it('whose entries share their data is refused', async () => {
    const bytes = zip([
      { name: 'pkg/a.js', content: 'alpha' },
      { name: 'pkg/b.js', content: 'alpha', lies: { dataOf: 0 } },
    ]);
    expect(await refusal(scannedZip(bytes))).toBe('broken: has entries that share their data');
  });

  it('is refused as a bomb before anything is unpacked', async () => {
    const bytes = zip([{ name: 'pkg/a', content: Buffer.alloc(9_000_000) }]);
    expect(await refusal(scannedZip(bytes))).toBe(
      'too_large: unfolds to more than 100 times what was sent',
    );
    const limits = { ...LIMITS, maxUnpackedBytes: 1_000_000 };
    expect(await refusal(scannedZip(bytes, { limits }))).toBe(
      'too_large: unpacks to more than 1000000 bytes',
    );
  });

  it('that says it has a million entries is refused before they are read', async () => {
    const bytes = zip({ 'pkg/a.js': 'x' }, { entryCount: 1_000_000 });
    expect(await refusal(scannedZip(bytes))).toBe('too_large: says that it has 1000000 entries');
  });

  it('with names that are no UTF-8 is read without them', async () => {
    const archive = await scannedZip(
      zip([{ name: Buffer.from('caf\xe9.js', 'latin1') }, { name: 'a.js' }]),
    );
    expect([archive.files.map(({ path }) => path), archive.odd.name]).toEqual([['a.js'], 1]);
    await archive.close();
  });
});

it('reads what a tar file without its end blocks holds', async () => {
  const whole = tar(FILES);
  const archive = await scanned(gzipSync(whole.subarray(0, -1024)));
  expect(archive.files).toHaveLength(3);
  await archive.close();
});
