import { createHash } from 'node:crypto';
import { crc32, deflateRawSync, gzipSync } from 'node:zlib';

/** A file of an archive, or what only a hostile one holds. */
export interface TarEntry {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /**
   * The type in the header; default a regular file (`0`). `1` is a hard link, `2` a symbolic link,
   * `3` a device, `5` a folder.
   */
  readonly type?: string;
  readonly target?: string;
  /** The size that the header says. */
  readonly size?: number;
}

/** A gzipped tar file, made byte by byte so that it can be anything. */
export function tarGz(entries: readonly TarEntry[] | Readonly<Record<string, string>>): Buffer {
  return gzipSync(tar(entries));
}

export function tar(entries: readonly TarEntry[] | Readonly<Record<string, string>>): Buffer {
  const blocks = entriesOf(entries).flatMap(
    ({ name, content = '', type = '0', target = '', size }) => {
      const bytes = Buffer.from(content as string);
      const padding = Buffer.alloc((512 - (bytes.length % 512)) % 512);
      return [tarHeader(name, size ?? bytes.length, type, target), bytes, padding];
    },
  );
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

/** One block. Longer names than it holds are written with a `pax` header by {@link paxName}. */
export function tarHeader(
  name: string | Uint8Array,
  size: number,
  type = '0',
  target = '',
): Buffer {
  const header = Buffer.alloc(512);
  Buffer.from(name as string).copy(header, 0, 0, 100);
  header.write('0000644\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write('00000000000\0', 136);
  header.write('        ', 148);
  header.write(type, 156);
  header.write(target, 157, 100);
  header.write('ustar\x0000', 257);
  const sum = header.reduce((all, byte) => all + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** Returns an entry that sets the name of the next entry, of any length. */
export function paxName(name: string): TarEntry {
  const record = `path=${name}\n`;
  let length = Buffer.byteLength(record) + 2;
  while (`${length} ${record}`.length !== length - Buffer.byteLength(record) + record.length)
    length += 1;
  return { name: 'PaxHeader', type: 'x', content: `${length} ${record}` };
}

export interface ZipEntry {
  readonly name: string | Uint8Array;
  readonly content?: string | Uint8Array;
  /** Unix mode, of a link for instance `0o120777`. */
  readonly mode?: number;
  /** False values for the headers. */
  readonly lies?: {
    readonly size?: number;
    readonly localSize?: number;
    readonly crc?: number;
    readonly flags?: number;
    readonly method?: number;
    /** Offset of the data of another entry, by its number. */
    readonly dataOf?: number;
  };
}

/** A zip file (a wheel, a jar), made byte by byte so that it can be anything. */
export function zip(
  entries: readonly ZipEntry[] | Readonly<Record<string, string>>,
  { entryCount }: { readonly entryCount?: number } = {},
): Buffer {
  const locals: Buffer[] = [];
  const central: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  const list: readonly ZipEntry[] = entriesOf(entries);
  for (const { name, content = '', mode = 0o100644, lies = {} } of list) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const path = Buffer.from(name as string);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(lies.flags ?? 0x800, 2);
    fields.writeUInt16LE(lies.method ?? 8, 4);
    fields.writeUInt32LE(lies.crc ?? crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(lies.size ?? bytes.length, 18);
    fields.writeUInt16LE(path.length, 22);
    const localFields = Buffer.from(fields);
    localFields.writeUInt32LE(lies.localSize ?? lies.size ?? bytes.length, 18);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), localFields, path, packed]);
    offsets.push(at);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(mode * 0x10000, 6);
    tail.writeUInt32LE(lies.dataOf === undefined ? at : (offsets[lies.dataOf] ?? 0), 10);
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), fields, tail, path]),
    );
    locals.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const count = entryCount ?? list.length;
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Math.min(count, 0xffff), 4);
  end.writeUInt16LE(Math.min(count, 0xffff), 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(at, 12);
  const zip64 = count > 0xffff ? zip64End(count, directory.length, at) : Buffer.alloc(0);
  return Buffer.concat([...locals, directory, zip64, Buffer.from('PK\x05\x06'), end]);
}

function zip64End(count: number, size: number, at: number): Buffer {
  const record = Buffer.alloc(56);
  record.write('PK\x06\x06', 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(at), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(at + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([record, locator]);
}

function entriesOf<
  Entry extends { readonly name: string | Uint8Array; readonly content?: string | Uint8Array },
>(entries: readonly Entry[] | Readonly<Record<string, string>>): readonly Entry[] {
  if (Array.isArray(entries)) return entries as readonly Entry[];
  return Object.entries(entries as Readonly<Record<string, string>>).map(
    ([name, content]) => ({ name, content }) as Entry,
  );
}

/** A digest as registries write it. */
export function digest(
  algorithm: 'sha512' | 'sha256' | 'sha1',
  bytes: Uint8Array,
  encoding: 'hex' | 'base64' = 'hex',
) {
  return createHash(algorithm).update(bytes).digest(encoding);
}
