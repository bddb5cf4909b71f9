import { multipartBody } from './multipart.js';

/** Returns the headers for the body of a route that does not take JSON. */
export function contentTypeOf(route: string): Record<string, string> {
  if (/^PUT .*\/scip$/.test(route)) return { 'content-type': 'application/x-protobuf' };
  return /upload/.test(route) ? { 'content-type': multipartBody([]).contentType } : {};
}
