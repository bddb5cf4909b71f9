import { randomUUID } from 'node:crypto';

/** A part of a form: a field, or a file with its name. */
export interface FormPart {
  readonly name: string;
  readonly value: string | Uint8Array;
  readonly fileName?: string;
}

/** A body of `multipart/form-data` with its content type. */
export function multipartBody(parts: readonly FormPart[]): {
  readonly contentType: string;
  readonly body: Buffer;
} {
  const boundary = `form-${randomUUID()}`;
  const pieces = parts.flatMap(({ name, value, fileName }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"` +
        (fileName === undefined
          ? ''
          : `; filename="${fileName}"\r\ncontent-type: application/pdf`) +
        '\r\n\r\n',
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ]);
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}
