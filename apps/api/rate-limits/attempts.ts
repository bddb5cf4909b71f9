import type { FastifyRequest } from 'fastify';

import { PUSH_ROUTE } from '../auth/push-route.js';

/**
 * Kinds of attempts that may fail to authenticate, with the words that name the requests of each.
 * Each has a limit of its own, so that one who tries keys locks neither sign-ins nor pushes of the
 * same address out.
 */
export const ATTEMPTS = {
  failed: 'without valid credentials',
  'failed-sign-in': 'that sign in, and fail,',
  'failed-push': 'that deliver pushes without a valid signature',
} as const;
export type Attempt = keyof typeof ATTEMPTS;

const SIGN_INS: ReadonlySet<string> = new Set([
  '/auth/login',
  '/auth/register',
  '/auth/accept',
  '/auth/oidc/login',
  '/auth/oidc/callback',
]);

/**
 * Anybody may read these, so nothing that they answer is a failed attempt. The limit by address
 * holds for them.
 */
const OPEN: ReadonlySet<string> = new Set([
  '/',
  '/packages/global',
  '/packages/global/:package_id',
]);

/**
 * Returns the attempt that a request without valid credentials makes; null where there is nothing
 * to guess.
 */
export function attemptOf({ routeOptions: { url = '' } }: FastifyRequest): Attempt | null {
  if (url === PUSH_ROUTE) return 'failed-push';
  if (SIGN_INS.has(url)) return 'failed-sign-in';
  return OPEN.has(url) ? null : 'failed';
}
