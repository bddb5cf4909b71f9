import { Inject } from '@nestjs/common';
import { Command, type ICommandHandler } from '@nestjs/cqrs';

import type { LoginBody } from '#contracts/http/index';
import { CLOCK, type Clock, LOGGER, type Logger, sleep } from '#platform';

import type { Visitor } from '../auth/caller.js';
import type { Session } from '../auth/session-tokens.js';
import { refusedFor } from '../refusals/refused-subject.js';
import { Handles } from '../use-cases/handles.js';
import { Accounts } from './accounts/accounts.js';
import { Fingerprints } from './credentials/fingerprints.js';
import { Passwords } from './credentials/passwords.js';
import { clientNetwork } from './sign-in/client-network.js';
import { SignInThrottle } from './sign-in/sign-in-throttle.js';
import { signInFailed, SignIns } from './sign-in/sign-ins.js';

/** A refusal leaves no earlier than this: what was found on the way does not show in its time. */
const REFUSED_AFTER_MS = 250;

/** Signs in with address and password. */
export class Login extends Command<Session> {
  constructor(
    readonly visitor: Visitor,
    readonly body: LoginBody,
  ) {
    super();
  }
}

@Handles(Login)
export class LoginHandler implements ICommandHandler<Login> {
  constructor(
    private readonly accounts: Accounts,
    private readonly fingerprints: Fingerprints,
    private readonly passwords: Passwords,
    private readonly throttle: SignInThrottle,
    private readonly signIns: SignIns,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * An address that nobody has and a wrong password answer alike, after the same work. @throws
   * FootnoteError `sign_in_failed`
   */
  async execute({ visitor, body }: Login): Promise<Session> {
    const began = this.clock.monotonic();
    const fingerprint = await this.fingerprints.ofAddress(body.email);
    const attempt = this.throttle.attempt(fingerprint, clientNetwork(visitor.http.ip ?? ''));
    const account = await this.accounts.findByName(fingerprint);
    const hash = account && (await this.accounts.passwordHash(account));
    const isRight = await this.passwords.verify(hash, body.password);
    if (!account || !isRight) {
      const subject = account
        ? { tenantId: account.tenant_id, userId: account.user_id }
        : { accountDigest: await this.fingerprints.of('refused-sign-in', fingerprint) };
      await sleep(Math.max(0, REFUSED_AFTER_MS - (this.clock.monotonic() - began)));
      this.logger.info(
        { request_id: visitor.requestId, ip: visitor.http.ip },
        'A sign-in was refused',
      );
      throw refusedFor(signInFailed(), subject);
    }
    attempt.succeeded();
    return this.signIns.start(visitor, account, 'password');
  }
}
