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
/** Without a byte from the store. */
const SILENCE_MS = 15_000;
const ATTEMPTS = 4;
const CONNECTIONS = 50;

/** Longest wait for a request that carries little; with its retries. */
export const REQUEST_LIMIT_MS = 30_000;

/**
 * Longest wait for a request that carries `bytes`: a link that is slower than 1 MB/s counts as
 * broken.
 */
export function transferLimitMs(bytes: number): number {
  return REQUEST_LIMIT_MS + Math.ceil(bytes / 1_000);
}

/** A client whose waits, attempts and connections are bounded. */
export function s3Client(access: S3Access): S3Client {
  return new S3Client({
    endpoint: access.endpoint,
    region: access.region ?? 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: access.accessKeyId, secretAccessKey: access.secretAccessKey },
    maxAttempts: ATTEMPTS,
    // Checksums are ours: not every store takes the trailers that the client would add by itself.
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
