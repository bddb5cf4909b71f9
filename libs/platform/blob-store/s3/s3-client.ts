import { S3Client } from '@aws-sdk/client-s3';

export interface S3Access {
  /** `https://…`, without the bucket; requests are path-style. */
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Default `us-east-1`. */
  readonly region?: string;
}

const CONNECT_MS = 3_000;
/** Longest time without a byte from the store. */
const SILENCE_MS = 15_000;
const ATTEMPTS = 4;
const CONNECTIONS = 50;

/** Longest wait for a small request, including its retries. */
export const REQUEST_LIMIT_MS = 30_000;

/**
 * Returns the longest wait for a request with `bytes`: a connection slower than 1 MB/s counts as
 * broken.
 */
export function transferLimitMs(bytes: number): number {
  return REQUEST_LIMIT_MS + Math.ceil(bytes / 1_000);
}

/** Creates a client with limited waits, attempts and connections. */
export function s3Client(access: S3Access): S3Client {
  return new S3Client({
    endpoint: access.endpoint,
    region: access.region ?? 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: access.accessKeyId, secretAccessKey: access.secretAccessKey },
    maxAttempts: ATTEMPTS,
    // Checksums are set by this adapter: not every store accepts the trailers that the client would
    // add.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      requestTimeout: SILENCE_MS,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
  });
}
