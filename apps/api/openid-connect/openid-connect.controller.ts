import { Controller, Get, Inject, Query, Redirect, Req, Res, UseGuards } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiFoundResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { FootnoteError } from '#contracts';
import { BeginSignInQuery } from '#contracts/http/index';
import type { Config } from '#platform';

import { Public } from '../auth/access.decorators.js';
import { CurrentVisitor, type Visitor } from '../auth/caller.js';
import { Sessions } from '../auth/sessions.js';
import { ShownOnPage } from '../edge/shown-on-page.js';
import { CONFIG } from '../engines/engines.js';
import { Problems } from '../openapi/problem-responses.js';
import { webUiPath } from '../web-ui/web-ui-path.js';
import { FinishSignIn } from './finish-sign-in.js';
import { PendingCookie } from './pending-cookie.js';
import { ProviderGuard } from './provider.guard.js';
import { IDENTITY_PROVIDER, type IdentityProvider } from './provider/identity-provider.port.js';
import { returnTo } from './return-to.js';

/** `passthrough`: Nest answers, and the reply is for its cookies alone. */
const COOKIES = { passthrough: true } as const;
const FOUND = 302;

/** The next address of the browser. */
interface Onward {
  readonly url: string;
  readonly statusCode: number;
}

@ApiTags('people')
@Controller('auth/oidc')
@UseGuards(ProviderGuard)
export class OpenIdConnectController {
  constructor(
    private readonly commands: CommandBus,
    private readonly cookie: PendingCookie,
    private readonly sessions: Sessions,
    @Inject(IDENTITY_PROVIDER) private readonly provider: IdentityProvider | null,
    @Inject(CONFIG) private readonly config: Pick<Config, 'http'>,
  ) {}

  /** Sends the browser to the identity provider to sign in. */
  @Get('login')
  @Public()
  @Redirect()
  @ApiFoundResponse({ description: 'To the identity provider.' })
  @Problems('not_found', 'provider_unavailable')
  async login(
    @Query() query: BeginSignInQuery,
    @Req() request: FastifyRequest,
    @Res(COOKIES) reply: FastifyReply,
  ): Promise<Onward> {
    return this.orShown(request, async () => {
      const afterwards = returnTo(query.return_to);
      if (!this.provider) throw new FootnoteError('not_found', 'Route not found');
      const { url, pending } = await this.provider.begin();
      await this.cookie.set(reply, { ...pending, returnTo: afterwards });
      return { url, statusCode: FOUND };
    });
  }

  /**
   * Takes the browser back from the identity provider, signs it in and sends it to where it wanted
   * to go.
   */
  @Get('callback')
  @Public()
  @Redirect()
  @ApiFoundResponse({ description: 'To `return_to`, signed in.' })
  @Problems(
    'not_found',
    'sign_in_failed',
    'address_taken',
    'concurrent_change',
    'provider_unavailable',
  )
  async callback(
    @CurrentVisitor() visitor: Visitor,
    // Providers send parameters of their own: all are taken, and read by the library alone.
    @Query() _query: Record<string, unknown>,
    @Req() request: FastifyRequest,
    @Res(COOKIES) reply: FastifyReply,
  ): Promise<Onward> {
    return this.orShown(request, () => this.finish(visitor, request, reply));
  }

  private async finish(
    visitor: Visitor,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Onward> {
    const begun = await this.cookie.take(request, reply);
    if (!begun)
      throw new FootnoteError(
        'sign_in_failed',
        'This browser did not start a sign-in in the last ten minutes',
      );
    const answer = new URLSearchParams(request.url.split('?').slice(1).join('?'));
    const session = await this.commands.execute(new FinishSignIn(visitor, answer, begun));
    await this.sessions.give(reply, session);
    return { url: begun.returnTo, statusCode: FOUND };
  }

  /** Runs a step of a sign-in. Its errors are shown on the page where a browser takes the step. */
  private async orShown({ headers }: FastifyRequest, step: () => Promise<Onward>): Promise<Onward> {
    const { webUi, publicUrl } = this.config.http;
    try {
      return await step();
    } catch (error) {
      if (!webUi || !headers.accept?.includes('text/html')) throw error;
      throw new ShownOnPage(error, `${webUiPath(publicUrl)}#/sign-in`);
    }
  }
}
